import { z } from 'zod';
import {
  type ListTasksResponse,
  limits,
  messageSchema,
  metadataSchema,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  taskStateSchema,
} from './a2a.ts';
import { protoBoolean, protoInteger, protoObject } from './proto-json.ts';

/** Requests of A2A 1.0, read from ProtoJSON. They are the canonical form of each operation. */

const historyLengthSchema = protoInteger.pipe(z.number().min(0)).optional();
const taskIdField = z.string().min(1).max(255);

export const sendMessageRequestSchema = protoObject({
  message: messageSchema('ROLE_USER'),
  configuration: protoObject({
    acceptedOutputModes: z.array(z.string()).max(limits.parts).optional(),
    taskPushNotificationConfig: z.record(z.string(), z.unknown()).optional(),
    historyLength: historyLengthSchema,
    returnImmediately: protoBoolean.optional(),
  }).optional(),
  metadata: metadataSchema.optional(),
});
export type SendMessageRequest = z.infer<typeof sendMessageRequestSchema>;

export const getTaskRequestSchema = protoObject({
  id: taskIdField,
  historyLength: historyLengthSchema,
});
export type GetTaskRequest = z.infer<typeof getTaskRequestSchema>;

/** Page size of every task list, A2A and REST: 1 to 100, 50 unless said. */
export const pageSizeSchema = protoInteger.pipe(z.number().min(1).max(100)).default(50);

export const listTasksRequestSchema = protoObject({
  contextId: z.string().max(255).optional(),
  status: taskStateSchema.optional(),
  pageSize: pageSizeSchema,
  pageToken: z.string().max(2048).optional(),
  historyLength: historyLengthSchema,
  statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
  includeArtifacts: protoBoolean.optional(),
});
export type ListTasksRequest = z.infer<typeof listTasksRequestSchema>;

export const cancelTaskRequestSchema = protoObject({
  id: taskIdField,
  metadata: metadataSchema.optional(),
});
export type CancelTaskRequest = z.infer<typeof cancelTaskRequestSchema>;

export const subscribeToTaskRequestSchema = protoObject({ id: taskIdField });
export type SubscribeToTaskRequest = z.infer<typeof subscribeToTaskRequestSchema>;

/** What each operation answers. */
export interface OperationResults {
  SendMessage: SendMessageResponse;
  SendStreamingMessage: StreamResponse;
  GetTask: Task;
  ListTasks: ListTasksResponse;
  CancelTask: Task;
  SubscribeToTask: StreamResponse;
}
export type Operation = keyof OperationResults;
