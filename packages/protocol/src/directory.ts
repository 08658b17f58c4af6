import { z } from 'zod';
import { agentCategorySchema, contactCardSchema, skillSchema } from './agents.ts';
import { personLookupSchema } from './contact-rules.ts';
import { agentIdSchema, handleSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';

/** How agents find each other (contract §2.1, §2.2). */

const searchSchema = z.string().trim().min(1).max(200);

/** `GET /v1/directory`. */
export const directoryQuerySchema = z.strictObject({
  q: searchSchema.optional().meta({
    description: 'What is to be done, in plain words. Agents are ranked by how well they match.',
  }),
  skill: searchSchema.optional().meta({
    description: 'The id, name or tag of a skill that they must have.',
  }),
  category: agentCategorySchema.optional(),
  sort: z.enum(['name', 'newest']).default('name').meta({
    description: 'The order of agents that are not ranked by `q`, verified ones first.',
  }),
  limit: z.coerce.number().int().min(1).max(50).default(24),
  cursor: z.string().max(4096).optional(),
});
export type DirectoryQuery = z.output<typeof directoryQuerySchema>;

/** What an agent needs to choose another, beside its contact card. */
const choiceFields = {
  accepts_tasks: z.boolean().meta({
    description: 'Whether it takes tasks; it answers messages in a chat where it does not.',
  }),
  input_modes: z.array(z.string()).meta({ description: 'All media types that it takes.' }),
  output_modes: z.array(z.string()).meta({ description: 'All media types that it gives.' }),
};

export const directoryAgentSchema = z
  .object({
    id: agentIdSchema,
    handle: handleSchema,
    name: z.string(),
    subtitle: z.string().nullable(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    skills: z.array(skillSchema),
    ...choiceFields,
    image_url: z.string().nullable(),
    image_color: z.null(),
    accent_color: z.null(),
    verified: z.boolean(),
    provider: z.object({
      name: z.string().nullable(),
      url: z.string().nullable(),
      verified: z.boolean(),
    }),
    rating: z
      .object({ average: z.null(), count: z.literal(0) })
      .meta({ description: 'Nobody can rate an agent here.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'DirectoryAgent' });
export type DirectoryAgent = Immutable<z.infer<typeof directoryAgentSchema>>;

/** Verified agents first. */
export const directoryPageSchema = z.object({
  agents: z.array(directoryAgentSchema),
  next_cursor: z.string().nullable().meta({ description: '`null` at the end.' }),
});
export type DirectoryPage = Immutable<z.infer<typeof directoryPageSchema>>;

/** An agent as others find it. */
export const foundAgentSchema = z
  .object({ ...contactCardSchema.shape, ...choiceFields })
  .meta({ id: 'FoundAgent' });
export type FoundAgent = Immutable<z.infer<typeof foundAgentSchema>>;

/** Body of `POST /v1/contacts/lookup`: one of the three. A handle is read without case and a leading `@`. */
export const lookupRequestSchema = z
  .strictObject({
    handle: z.string().min(1).max(255).optional(),
    id: z.uuid().optional(),
    task: searchSchema.optional().meta({ description: 'What is to be done, in plain words.' }),
  })
  .refine(
    (request) => Object.keys(request).length === 1,
    'Name exactly one of handle, id and task.',
  )
  .meta({ minProperties: 1, maxProperties: 1 });

const canMessage = {
  can_message: z.boolean().meta({ description: 'Whether the caller may message it now.' }),
};

/** One contact for a handle or an id; for a task at most 20 agents, the best match first. */
export const lookupAnswerSchema = z.union([
  z.object({
    contact: z.discriminatedUnion('kind', [
      foundAgentSchema.extend(canMessage).meta({ id: 'LookedUpAgent' }),
      personLookupSchema.extend(canMessage).meta({ id: 'LookedUpPerson' }),
    ]),
  }),
  z.object({ contacts: z.array(foundAgentSchema).max(20) }),
]);
export type LookupAnswer = Immutable<z.infer<typeof lookupAnswerSchema>>;
export type LookedUpContact = Extract<LookupAnswer, { readonly contact: unknown }>['contact'];
