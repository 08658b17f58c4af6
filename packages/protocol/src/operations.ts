import { z } from 'zod';
import { limits, messageSchema, metadataSchema, taskStateSchema } from './a2a.ts';
import {
  listTasksResponseSchema,
  sendMessageResponseSchema,
  streamResponseSchema,
  taskSchema,
} from './a2a-results.ts';
import { protoBoolean, protoInteger, protoObject } from './proto-json.ts';
import {
  createPushConfigRequestSchema,
  getPushConfigRequestSchema,
  inlinePushConfigSchema,
  listPushConfigsRequestSchema,
  pushConfigPageSchema,
  pushConfigSchema,
} from './push-configs.ts';

/** Requests of A2A 1.0, read from ProtoJSON. They are the canonical form of each operation. */

export const historyLengthSchema = protoInteger({ minimum: 0 })
  .meta({ description: 'How many of the latest messages to show; 0 shows none.' })
  .optional();
export const taskIdField = z.string().min(1).max(255);

export const sendMessageRequestSchema = protoObject({
  message: messageSchema('ROLE_USER'),
  configuration: protoObject({
    acceptedOutputModes: z.array(z.string()).max(limits.parts).optional(),
    taskPushNotificationConfig: inlinePushConfigSchema.optional(),
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
export const pageSizeSchema = protoInteger({ minimum: 1, maximum: 100 }).default(50);

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

/** Each operation: what it takes, what it answers, and whether it answers with a stream of that. */
export const operations = {
  SendMessage: {
    summary:
      'A new task, or a follow-up where the message names a task. Unless `returnImmediately` is set, ' +
      'it waits until the task is done or waits for the requester, for a minute at most.',
    params: sendMessageRequestSchema,
    result: sendMessageResponseSchema,
    isStream: false,
  },
  SendStreamingMessage: {
    summary: 'As SendMessage, answered with a stream.',
    params: sendMessageRequestSchema,
    result: streamResponseSchema,
    isStream: true,
  },
  GetTask: {
    summary: 'A task that the caller sent to this agent.',
    params: getTaskRequestSchema,
    result: taskSchema,
    isStream: false,
  },
  ListTasks: {
    summary: 'The tasks that the caller sent to this agent.',
    params: listTasksRequestSchema.optional(),
    result: listTasksResponseSchema,
    isStream: false,
  },
  CancelTask: {
    summary: 'Cancels a task that the caller sent to this agent.',
    params: cancelTaskRequestSchema,
    result: taskSchema,
    isStream: false,
  },
  SubscribeToTask: {
    summary: 'A stream of a task that is open.',
    params: subscribeToTaskRequestSchema,
    result: streamResponseSchema,
    isStream: true,
  },
  CreateTaskPushNotificationConfig: {
    summary:
      'Has each later update of a task POSTed to a URL. The same id again replaces the config; without an ' +
      'id, the same URL does.',
    params: createPushConfigRequestSchema,
    result: pushConfigSchema,
    isStream: false,
  },
  GetTaskPushNotificationConfig: {
    summary: 'A push notification config of a task, without its secrets.',
    params: getPushConfigRequestSchema,
    result: pushConfigSchema,
    isStream: false,
  },
  ListTaskPushNotificationConfigs: {
    summary: 'The push notification configs of a task.',
    params: listPushConfigsRequestSchema,
    result: pushConfigPageSchema,
    isStream: false,
  },
  DeleteTaskPushNotificationConfig: {
    summary:
      'Deletes a push notification config: nothing more is sent for it. Again, it is no error.',
    params: getPushConfigRequestSchema,
    result: z.object({}),
    isStream: false,
  },
} as const;
export type Operation = keyof typeof operations;
