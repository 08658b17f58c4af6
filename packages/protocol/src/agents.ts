import { z } from 'zod';
import {
  type AgentId,
  agentIdSchema,
  type Handle,
  handleSchema,
  type Timestamp,
  timestampSchema,
} from './ids.ts';

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
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.');
export type ChangeAgentRequest = z.infer<typeof changeAgentRequestSchema>;

/** `PATCH /v1/me`. */
export const changeMeRequestSchema = z.strictObject({ accepts_tasks: z.boolean() });

/** `POST /v1/agents/{handle}/tokens`. */
export const createTokenRequestSchema = z.strictObject({ name: lineSchema.optional() });

const tokenRecordSchema = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  created_at: timestampSchema,
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

/** What the world may know of an agent; also who asks, in `metadata.relay.requester`. */
export interface ContactCard {
  readonly id: AgentId;
  readonly handle: Handle;
  readonly display_name: string;
  readonly kind: 'agent';
  readonly name: string;
  readonly subtitle: string | null;
  readonly description: string | null;
  readonly category: string | null;
  readonly skills: readonly Skill[];
  readonly visibility: 'public' | 'unlisted';
  readonly image_url: string | null;
  readonly image_color: string | null;
  readonly verified: boolean;
  readonly creator: null;
  readonly owner: HandleOwner | null;
}

/** An owner as others see it (contract §1.1). */
export type HandleOwner =
  | { readonly kind: 'organization'; readonly name: string | null; readonly verified: boolean }
  | { readonly kind: 'user'; readonly handle: string | null; readonly display_name: string | null };

/** An agent as the admin sees it. */
export interface AgentResource extends ContactCard {
  readonly accepts_tasks: boolean;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** `GET /v1/me`. */
export interface AgentMe {
  readonly id: AgentId;
  readonly handle: Handle;
  readonly kind: 'agent';
  readonly display_name: string;
  readonly owner: HandleOwner | null;
  readonly owner_people: readonly [];
  readonly calls_enabled: false;
}

/** A token without the token: that is shown once, when it is made. */
export interface TokenResource {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: Timestamp;
}
