import { z } from 'zod';
import { agentIdSchema, handleSchema, ownerIdSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { handleOwnerSchema, ownerPersonSchema } from './owners.ts';
import { lineSchema, webUrlSchema } from './profile-text.ts';
import { tokenRecordSchema } from './tokens.ts';

/** Agents as Relay's REST knows them: profiles, contact cards. */

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

/** A media type, or all of a kind: `image/png`, `image/*`. */
const modeSchema = z
  .string()
  .max(255)
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/, 'It is no media type.');
const modesSchema = z.array(modeSchema).max(50);

/** Where the directory files an agent. */
export const agentCategorySchema = z
  .enum([
    'productivity',
    'business',
    'finance',
    'shopping',
    'travel',
    'health-fitness',
    'lifestyle',
    'social',
    'education',
    'entertainment',
    'utilities',
    'developer-tools',
  ])
  .meta({ id: 'AgentCategory' });

export const profileFields = {
  display_name: lineSchema,
  subtitle: z.string().trim().min(1).max(60).nullable(),
  description: z.string().max(2000).nullable(),
  category: agentCategorySchema.nullable(),
  skills: z.array(skillSchema).max(100),
  extended_skills: z.array(skillSchema).max(100).meta({
    description: 'Skills that only the extended card shows, to agents that ask for it.',
  }),
  input_modes: modesSchema.meta({
    description:
      'Media types that it takes in messages beside text and JSON; `image/*` means all images.',
  }),
  output_modes: modesSchema.meta({
    description: 'Media types that it gives beside text and JSON.',
  }),
  image_url: webUrlSchema.nullable(),
  visibility: z.enum(['public', 'unlisted']).meta({
    description:
      'Public agents are listed in the directory and found by a task; others answer who knows them.',
  }),
  people_can_message: z.boolean().meta({ description: 'Whether any person may message it.' }),
  agents_can_message: z.enum(['everyone', 'nobody']).meta({
    description: 'Which agents may message it, beside those of its owner and those that it allows.',
  }),
  owner_id: ownerIdSchema.nullable(),
};

/** `POST /v1/agents`. Unless said: the handle as name, unlisted, open to all, its maker's, no skills. */
export const createAgentRequestSchema = z.strictObject({
  handle: handleSchema,
  display_name: profileFields.display_name.optional(),
  subtitle: profileFields.subtitle.default(null),
  description: profileFields.description.default(null),
  category: profileFields.category.default(null),
  skills: profileFields.skills.default([]),
  extended_skills: profileFields.extended_skills.default([]),
  input_modes: profileFields.input_modes.default([]),
  output_modes: profileFields.output_modes.default([]),
  image_url: profileFields.image_url.default(null),
  visibility: profileFields.visibility.default('unlisted'),
  people_can_message: profileFields.people_can_message.default(true),
  agents_can_message: profileFields.agents_can_message.default('everyone'),
  owner_id: profileFields.owner_id.optional().meta({
    description: 'Unless said, the owner that makes it; nobody, where that is the administrator.',
  }),
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

/** An agent as the registry keeps it. */
export const agentRecordSchema = z.object({
  id: agentIdSchema,
  handle: handleSchema,
  ...profileFields,
  /** The second part of its name, where that was given in two. */
  last_name: z.string().nullable().default(null),
  /** Any text was taken once. */
  category: z.string().nullable(),
  /** Records from before owners had records are read as nobody's until they are migrated. */
  owner_id: profileFields.owner_id.default(null),
  extended_skills: profileFields.extended_skills.default([]),
  input_modes: profileFields.input_modes.default([]),
  output_modes: profileFields.output_modes.default([]),
  people_can_message: profileFields.people_can_message.default(true),
  agents_can_message: profileFields.agents_can_message.default('everyone'),
  /** Whether it ever said anything of a contact: for all others nobody need look. */
  has_contact_rules: z.boolean().default(false),
  accepts_tasks: z.boolean(),
  /** When it made its first push notification config; `null`: it never did. */
  push_configs_since: timestampSchema.nullable().default(null),
  created_at: timestampSchema,
  updated_at: timestampSchema,
  tokens: z.array(tokenRecordSchema),
});
export type AgentRecord = z.infer<typeof agentRecordSchema>;

export const contactCardFields = {
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
  creator: z
    .object({ kind: z.literal('organization'), name: z.string(), handle: z.null() })
    .nullable()
    .meta({ description: 'The organization that owns it.' }),
  owner: handleOwnerSchema.nullable(),
};

/** What the world may know of an agent; also who asks, in `metadata.relay.requester`. */
export const contactCardSchema = z.object(contactCardFields).meta({ id: 'ContactCard' });
export type ContactCard = Immutable<z.infer<typeof contactCardSchema>>;

/** An agent as the administrator and its owner see it. */
export const agentResourceSchema = z
  .object({
    ...contactCardFields,
    owner_id: profileFields.owner_id,
    extended_skills: profileFields.extended_skills,
    input_modes: profileFields.input_modes,
    output_modes: profileFields.output_modes,
    people_can_message: profileFields.people_can_message,
    agents_can_message: profileFields.agents_can_message,
    accepts_tasks: z.boolean(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Agent' });
export type AgentResource = Immutable<z.infer<typeof agentResourceSchema>>;

/** `GET /v1/me`. */
export const agentMeSchema = z
  .object({
    id: agentIdSchema,
    handle: handleSchema,
    kind: z.literal('agent'),
    display_name: z.string(),
    owner: handleOwnerSchema.nullable(),
    owner_people: z.array(ownerPersonSchema).meta({
      description:
        "The person who owns the agent, or the organization's member who made the token of this call.",
    }),
    calls_enabled: z.literal(false),
  })
  .meta({ id: 'AgentMe' });
export type AgentMe = Immutable<z.infer<typeof agentMeSchema>>;
