import { z } from 'zod';
import { taskStates } from './a2a.ts';
import { changeIdSchema, timestampSchema, traceIdSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { pageSizeSchema } from './operations.ts';

/** `GET /v1/tasks/{id}/changes`. */
export const listTaskChangesQuerySchema = z.strictObject({
  page_size: pageSizeSchema,
  page_token: z.string().max(2048).optional(),
});

const taskChangeTypes = [
  'submitted',
  'message-added',
  'status-changed',
  'artifact-added',
  'replied',
  'canceled',
  'opened',
] as const;

const taskChangeSchema = z
  .object({
    id: changeIdSchema,
    revision: z.int().meta({ description: 'Counts the changes of the task, from 1.' }),
    type: z.enum(taskChangeTypes).meta({
      description:
        '`opened`: a message in a chat became this task by its first status or artifact.',
    }),
    state: z.enum(taskStates).meta({ description: 'Of the task after the change.' }),
    at: timestampSchema,
    trace_id: traceIdSchema.meta({ description: 'The `X-Request-Id` of what caused it.' }),
    message_id: z.string().nullable(),
    artifact_id: z.string().nullable(),
  })
  .meta({ id: 'TaskChange' });
export type TaskChangeView = Immutable<z.infer<typeof taskChangeSchema>>;

/** Newest first. */
export const taskChangesPageSchema = z.object({
  changes: z.array(taskChangeSchema),
  next_page_token: z.string().meta({ description: 'Empty at the end.' }),
});
export type TaskChangesPage = Immutable<z.infer<typeof taskChangesPageSchema>>;
