import { z } from 'zod';
import { artifactSchema, messageSchema, metadataSchema, taskStates } from './a2a.ts';
import { taskSchema } from './a2a-results.ts';
import { handleSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { isJsonObject } from './json.ts';
import { pageSizeSchema } from './operations.ts';

/** Relay's own REST twin of the A2A operations (contract §2). */

/** `POST /v1/tasks`. A leading `@` of the handle is tolerated. */
export const createTaskRequestSchema = z.strictObject({
  to: z.preprocess((to) => (typeof to === 'string' ? to.replace(/^@/, '') : to), handleSchema),
  message: messageSchema('ROLE_USER'),
  metadata: metadataSchema.optional(),
});

/** `GET /v1/tasks`. */
export const listTasksQuerySchema = z.strictObject({
  role: z.enum(['callee', 'requester']).default('callee'),
  state: z.enum(taskStates).optional(),
  page_size: pageSizeSchema,
  page_token: z.string().max(2048).optional(),
});

/** Latest update first. */
export const listTasksPageSchema = z.object({
  tasks: z.array(taskSchema),
  next_page_token: z.string().meta({ description: 'Empty at the end.' }),
});
export type ListTasksPage = Immutable<z.infer<typeof listTasksPageSchema>>;

/** The task as it stands after the request. */
export const taskAnswerSchema = z.object({ task: taskSchema });

/** The states a callee sets, with or without their prefix. */
const settableStates = [
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_REJECTED',
] as const;
export type SettableState = (typeof settableStates)[number];

const settableStateSchema = z.preprocess(
  (state) =>
    typeof state === 'string' && !state.startsWith('TASK_STATE_') ? `TASK_STATE_${state}` : state,
  z.enum(settableStates),
);

/** `POST /v1/tasks/{id}/status`. */
export const setStatusRequestSchema = z.strictObject({
  state: settableStateSchema,
  message: messageSchema('ROLE_AGENT').optional(),
});

/** `POST /v1/tasks/{id}/artifacts`. Whole artifacts only: `append` and `lastChunk` are refused. */
export const addArtifactRequestSchema = z.strictObject({
  artifact: z.preprocess((artifact, context) => {
    if (isJsonObject(artifact) && hasChunkKeys(artifact)) {
      const message = 'Artifacts are appended whole: append and lastChunk are not accepted.';
      context.addIssue({ code: 'custom', message });
    }
    return artifact;
  }, artifactSchema),
});

/** `POST /v1/tasks/{id}/reply`. */
export const replyRequestSchema = z.strictObject({ message: messageSchema('ROLE_AGENT') });

function hasChunkKeys(artifact: Record<string, unknown>): boolean {
  const chunkKeys = ['append', 'lastChunk', 'last_chunk'];
  return chunkKeys.some((key) => Object.hasOwn(artifact, key));
}
