import { z } from 'zod';
import { handleSchema, ownerIdSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { lineSchema, webUrlSchema } from './profile-text.ts';
import { tokenRecordSchema } from './tokens.ts';

/** Organizations and persons, who own agents (contract §1.1). */

const organizationFields = {
  name: lineSchema,
  website: webUrlSchema.nullable(),
  verified: z.boolean(),
};

const personFields = {
  display_name: lineSchema,
  organizations: z.array(ownerIdSchema).max(100).meta({
    description: 'Of which the person is a member: it manages their agents like its own.',
  }),
};

/** `POST /v1/owners`. Unless said: without a website, not verified, a member of nothing. */
export const createOwnerRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('organization'),
    name: organizationFields.name,
    website: organizationFields.website.default(null),
    verified: organizationFields.verified.default(false),
  }),
  z.strictObject({
    kind: z.literal('user'),
    handle: handleSchema,
    display_name: personFields.display_name,
    organizations: personFields.organizations.default([]),
  }),
]);
export type CreateOwnerRequest = z.infer<typeof createOwnerRequestSchema>;

/** `PATCH /v1/owners/{ownerId}`: what is named changes, `null` clears. */
export const changeOrganizationRequestSchema = z
  .strictObject(organizationFields)
  .partial()
  .refine(namesAField, 'Name at least one field to change.')
  .meta({ minProperties: 1 });
export const changePersonRequestSchema = z
  .strictObject(personFields)
  .partial()
  .refine(namesAField, 'Name at least one field to change.')
  .meta({ minProperties: 1 });

function namesAField(change: object): boolean {
  return Object.keys(change).length > 0;
}

const resourceFields = {
  id: ownerIdSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
};
const recordFields = { ...resourceFields, tokens: z.array(tokenRecordSchema) };

/** An owner as the registry keeps it. */
export const ownerRecordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organization'), ...organizationFields, ...recordFields }),
  z.object({ kind: z.literal('user'), handle: handleSchema, ...personFields, ...recordFields }),
]);
export type OwnerRecord = z.infer<typeof ownerRecordSchema>;
export type PersonRecord = Extract<OwnerRecord, { kind: 'user' }>;

/** An owner as the administrator sees it. */
export const ownerResourceSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('organization'), ...organizationFields, ...resourceFields }),
    z.object({ kind: z.literal('user'), handle: handleSchema, ...personFields, ...resourceFields }),
  ])
  .meta({ id: 'Owner' });
export type OwnerResource = Immutable<z.infer<typeof ownerResourceSchema>>;

/** An owner as others see it. */
export const handleOwnerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('organization'),
    name: z.string().nullable(),
    verified: z.boolean(),
  }),
  z.object({
    kind: z.literal('user'),
    handle: z.string().nullable(),
    display_name: z.string().nullable(),
  }),
]);
export type HandleOwner = Immutable<z.infer<typeof handleOwnerSchema>>;

/** A person behind an agent, as the agent sees it. */
export const ownerPersonSchema = z.object({
  id: ownerIdSchema,
  handle: z.string(),
  display_name: z.string().nullable(),
});
export type OwnerPerson = Immutable<z.infer<typeof ownerPersonSchema>>;
