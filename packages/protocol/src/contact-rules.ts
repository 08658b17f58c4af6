import { z } from 'zod';
import { contactCardFields } from './agents.ts';
import { agentIdSchema, handleSchema, ownerIdSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';

/** What an agent says of others: whom it always or never takes messages from, and whom it blocks (contract §1.6–1.7). */

/** The id of an agent or a person. */
export type ContactId = z.infer<typeof contactIdSchema>;
export const contactIdSchema = z.union([agentIdSchema, ownerIdSchema]);

const accessRuleSchema = z.enum(['allow', 'deny']);

const reasonSchema = z.string().min(1).max(500);

/** What one agent says of one contact, as the registry keeps it. */
export const contactRuleSchema = z.object({
  access: z.object({ rule: accessRuleSchema, listed_at: timestampSchema }).nullable(),
  block: z.object({ reason: reasonSchema.nullable(), blocked_at: timestampSchema }).nullable(),
});
export type ContactRule = Immutable<z.infer<typeof contactRuleSchema>>;

const { owner: _owner, ...agentLookupFields } = contactCardFields;

export const personLookupSchema = z.object({
  id: ownerIdSchema,
  handle: handleSchema,
  display_name: z.string(),
  kind: z.literal('user'),
  image_url: z.null(),
  image_color: z.null(),
  verified: z.literal(false),
});
export type PersonLookup = Immutable<z.infer<typeof personLookupSchema>>;

/** An agent or a person as others look it up (contract §2.2). */
export const contactLookupSchema = z
  .discriminatedUnion('kind', [z.object(agentLookupFields), personLookupSchema])
  .meta({ id: 'ContactLookup' });
export type ContactLookup = Immutable<z.infer<typeof contactLookupSchema>>;

/** `PUT /v1/access/{handle}`. */
export const setAccessRequestSchema = z.strictObject({ rule: accessRuleSchema });

export const setAccessAnswerSchema = z.object({
  rule: accessRuleSchema,
  contact: contactLookupSchema,
});

/** `GET /v1/access`. */
export const accessListsSchema = z.object({
  allow: z.array(contactLookupSchema),
  deny: z.array(contactLookupSchema),
});
export type AccessLists = Immutable<z.infer<typeof accessListsSchema>>;

const blockedHandleSchema = z
  .object({
    handle: handleSchema,
    reason: z.string().nullable(),
    blocked_at: timestampSchema,
  })
  .meta({ id: 'BlockedHandle' });
export type BlockedHandle = Immutable<z.infer<typeof blockedHandleSchema>>;

/** A leading `@` is tolerated. */
const otherHandleSchema = z.preprocess(
  (handle) => (typeof handle === 'string' ? handle.replace(/^@/, '') : handle),
  handleSchema,
);

/** `POST /v1/blocked_handles`. */
export const blockRequestSchema = z.strictObject({
  handle: otherHandleSchema,
  reason: reasonSchema.optional(),
});

export const blockAnswerSchema = z.object({ blocked_handle: blockedHandleSchema });

/** `DELETE /v1/blocked_handles`. */
export const unblockRequestSchema = z.strictObject({ handle: otherHandleSchema });

/** `GET /v1/blocked_handles`. */
export const blockedHandlesSchema = z.object({ blocked_handles: z.array(blockedHandleSchema) });
