import { z } from 'zod';
import { storedArtifactSchema, storedMessageSchema, taskStates } from './a2a.ts';
import { contactCardSchema } from './agents.ts';
import { documentedAs } from './documented-as.ts';
import { taskIdSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';

/** What the operations of A2A 1.0 answer. */

const taskStatusSchema = z
  .object({
    state: z.enum(taskStates),
    message: storedMessageSchema.optional(),
    timestamp: timestampSchema,
  })
  .meta({ id: 'TaskStatus' });
export type TaskStatus = Immutable<z.infer<typeof taskStatusSchema>>;

/** Who sent the task, as it was then, beside what came with the request. */
const taskMetadataSchema = documentedAs(
  z.looseObject({ relay: z.looseObject({ requester: contactCardSchema }) }).meta({
    description: "The request's own, and in `relay.requester` who sent the task, as it was then.",
  }),
  z.record(z.string(), z.unknown()),
);

export const taskSchema = z
  .object({
    id: taskIdSchema,
    contextId: z.string(),
    status: taskStatusSchema,
    artifacts: z.array(storedArtifactSchema).optional(),
    history: z.array(storedMessageSchema).optional().meta({
      description: "The requester's messages and those of every status, oldest first.",
    }),
    metadata: taskMetadataSchema.optional(),
  })
  .meta({ id: 'Task', description: 'An A2A 1.0 task.' });
export type Task = Immutable<z.infer<typeof taskSchema>>;

const statusUpdateSchema = z
  .object({ taskId: taskIdSchema, contextId: z.string(), status: taskStatusSchema })
  .meta({ id: 'TaskStatusUpdateEvent' });
export type TaskStatusUpdateEvent = Immutable<z.infer<typeof statusUpdateSchema>>;

const artifactUpdateSchema = z
  .object({
    taskId: taskIdSchema,
    contextId: z.string(),
    artifact: storedArtifactSchema,
    lastChunk: z.literal(true),
  })
  .meta({ id: 'TaskArtifactUpdateEvent' });
export type TaskArtifactUpdateEvent = Immutable<z.infer<typeof artifactUpdateSchema>>;

const taskAnswer = z.object({ task: taskSchema });
const messageAnswer = z.object({ message: storedMessageSchema });

/** One event of a stream (A2A 1.0 §3.2.3). */
export const streamResponseSchema = z
  .union([
    taskAnswer,
    messageAnswer,
    z.object({ statusUpdate: statusUpdateSchema }),
    z.object({ artifactUpdate: artifactUpdateSchema }),
  ])
  .meta({ id: 'StreamResponse', description: 'First the task, then what changes of it.' });
export type StreamResponse = Immutable<z.infer<typeof streamResponseSchema>>;

export const sendMessageResponseSchema = z
  .union([taskAnswer, messageAnswer])
  .meta({ id: 'SendMessageResponse' });
export type SendMessageResponse = Immutable<z.infer<typeof sendMessageResponseSchema>>;

export const listTasksResponseSchema = z
  .object({
    tasks: z.array(taskSchema),
    nextPageToken: z.string().meta({ description: 'Empty at the end.' }),
    pageSize: z.int(),
    totalSize: z.int(),
  })
  .meta({ id: 'ListTasksResponse', description: 'Latest status first.' });
export type ListTasksResponse = Immutable<z.infer<typeof listTasksResponseSchema>>;
