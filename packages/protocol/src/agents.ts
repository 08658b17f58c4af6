import { z } from 'zod';
import { agentIdSchema, handleSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';

/** Agents as Relay's REST knows them: profiles, owners, contact cards, tokens. */

const lineSchema = z.string().trim().min(1).max(255);
const webUrlSchema = z.url({ protocol: /^https?$/ }).max(2048);

export const skillSchema = z.strictObject({
  id: lineSchema,
  name: lineSchema,
  description: z.string().max(2000),
  tags: z.array(lineSchema).max(50).default([]),
  examples: z.array(z.string().max(2000)).max(50).optional(),
  inputModes: z.array(lineSchema).max(50).optional(),
  outputModes: z.array(lineSchema).max(50).optional(),
});
export type Skill = z.infer<typeof skillSchema>;

export const ownerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('organization'),
    name: lineSchema,
    website: webUrlSchema.optional(),
    verified: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('user'), handle: handleSchema, display_name: lineSchema }),
]);
export type Owner = z.infer<typeof ownerSchema>;

const profileFields = {
  display_name: lineSchema,
  subtitle: z.string().trim().min(1).max(60).nullable(),
  description: z.string().max(2000).nullable(),
  category: lineSchema.nullable(),
  skills: z.array(skillSchema).max(100),
  image_url: webUrlSchema.nullable(),
  visibility: z.enum(['public', 'unlisted']),
  owner: ownerSchema.nullable(),
};

/** `POST /v1/agents`. Unless said: the handle as name, unlisted, nobody's, no skills. */
export const createAgentRequestSchema = z.strictObject({
  handle: handleSchema,
  display_name: profileFields.display_name.optional(),
  subtitle: profileFields.subtitle.default(null),
  description: profileFields.description.default(null),
  category: profileFields.category.default(null),
  skills: profileFields.skills.default([]),
  image_url: profileFields.image_url.default(null),
  visibility: profileFields.visibility.default('unlisted'),
  owner: profileFields.owner.default(null),
});
export type CreateAgentRequest = z.infer<typeof createAgentRequestSchema>;

/** `PATCH /v1/agents/{handle}`: what is named changes, `null` clears. */
export const changeAgentRequestSchema = z
  .strictObject(profileFields)
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ minProperties: 1 });
export type ChangeAgentRequest = z.infer<typeof changeAgentRequestSchema>;

/** `PATCH /v1/me`. */
export const changeMeRequestSchema = z.strictObject({ accepts_tasks: z.boolean() });

/** `POST /v1/agents/{handle}/tokens`. */
export const createTokenRequestSchema = z.strictObject({ name: lineSchema.optional() });

const tokenFields = { id: z.uuid(), name: z.string().nullable(), created_at: timestampSchema };

const tokenRecordSchema = z.object({
  ...tokenFields,
  /** SHA-256 of the token, hex. The token itself is kept nowhere. */
  sha256: z.string(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** An agent as the registry keeps it. */
export const agentRecordSchema = z.object({
  id: agentIdSchema,
  handle: handleSchema,
  ...profileFields,
  accepts_tasks: z.boolean(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
  tokens: z.array(tokenRecordSchema),
});
export type AgentRecord = z.infer<typeof agentRecordSchema>;

/** An owner as others see it (contract §1.1). */
const handleOwnerSchema = z.discriminatedUnion('kind', [
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

const contactCardFields = {
  id: agentIdSchema,
  handle: handleSchema,
  display_name: z.string(),
  kind: z.literal('agent'),
  name: z.string().meta({ description: 'The same as display_name.' }),
  subtitle: z.string().nullable(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  skills: profileFields.skills,
  visibility: profileFields.visibility,
  image_url: z.string().nullable(),
  image_color: z.string().nullable(),
  verified: z.boolean(),
  creator: z.null(),
  owner: handleOwnerSchema.nullable(),
};

/** What the world may know of an agent; also who asks, in `metadata.relay.requester`. */
export const contactCardSchema = z.object(contactCardFields).meta({ id: 'ContactCard' });
export type ContactCard = Immutable<z.infer<typeof contactCardSchema>>;

/** An agent as the admin sees it. */
export const agentResourceSchema = z
  .object({
    ...contactCardFields,
    accepts_tasks: z.boolean(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Agent' });
export type AgentResource = Immutable<z.infer<typeof agentResourceSchema>>;

const ownerPersonSchema = z.object({
  id: z.uuid(),
  handle: z.string(),
  display_name: z.string().nullable(),
});

/** `GET /v1/me`. */
export const agentMeSchema = z
  .object({
    id: agentIdSchema,
    handle: handleSchema,
    kind: z.literal('agent'),
    display_name: z.string(),
    owner: handleOwnerSchema.nullable(),
    owner_people: z.array(ownerPersonSchema).meta({ description: 'Empty: Relay knows no people.' }),
    calls_enabled: z.literal(false),
  })
  .meta({ id: 'AgentMe' });
export type AgentMe = Immutable<z.infer<typeof agentMeSchema>>;

/** A token without the token: that is shown once, when it is made. */
export const tokenResourceSchema = z.object(tokenFields).meta({ id: 'Token' });
export type TokenResource = Immutable<z.infer<typeof tokenResourceSchema>>;

/** An agent token itself, as an answer shows it once. */
export const tokenSchema = z.string().meta({ description: 'Shown only here.' });

/** `POST /v1/agents/{handle}/tokens`. */
export const newTokenSchema = z
  .object({ ...tokenFields, token: tokenSchema })
  .meta({ id: 'NewToken' });
