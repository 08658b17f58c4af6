import { listTasksRequestSchema, operations } from '../operations.ts';
import type { PushConfig, PushConfigAnswer } from '../push-configs.ts';
import { validate } from '../validate.ts';
import type { AnswerEncoder, MethodDecoder } from './decoded-call.ts';

/** A2A 1.0 is the canonical form: it is read as ProtoJSON and written as it is. It loses nothing. */
const encoderV1: AnswerEncoder = {
  answer: (answer) => answer,
  task: (task) => task,
  card: (card) => card,
  noCard: 'operationNotSupported',
  events: ({ response }) => [response],
  pushConfig: encodePushConfig,
  pushConfigs: ({ configs, nextPageToken }) => ({
    configs: configs.map(encodePushConfig),
    nextPageToken,
  }),
  pushConfigDeleted: {},
  pushForm: { version: '1.0' },
};

/** It has no filter of events. */
function encodePushConfig({ events: _events, ...config }: PushConfig): PushConfigAnswer {
  return config;
}

const decoders = {
  SendMessage: (params) => ({
    call: { operation: 'SendMessage', request: validate(operations.SendMessage.params, params) },
    encoder: encoderV1,
  }),
  SendStreamingMessage: (params) => ({
    call: {
      operation: 'SendStreamingMessage',
      request: validate(operations.SendStreamingMessage.params, params),
      endsWhenAsked: false,
    },
    encoder: encoderV1,
  }),
  GetTask: (params) => ({
    call: { operation: 'GetTask', request: validate(operations.GetTask.params, params) },
    encoder: encoderV1,
  }),
  // Every one of its parameters is optional.
  ListTasks: (params) => ({
    call: { operation: 'ListTasks', request: validate(listTasksRequestSchema, params ?? {}) },
    encoder: encoderV1,
  }),
  CancelTask: (params) => ({
    call: { operation: 'CancelTask', request: validate(operations.CancelTask.params, params) },
    encoder: encoderV1,
  }),
  SubscribeToTask: (params) => ({
    call: {
      operation: 'SubscribeToTask',
      request: validate(operations.SubscribeToTask.params, params),
    },
    encoder: encoderV1,
  }),
  CreateTaskPushNotificationConfig: (params) => {
    const read = validate(operations.CreateTaskPushNotificationConfig.params, params);
    const { taskId, ...config } = read;
    const operation = 'CreateTaskPushNotificationConfig';
    return { call: { operation, request: { taskId, config } }, encoder: encoderV1 };
  },
  GetTaskPushNotificationConfig: (params) => ({
    call: {
      operation: 'GetTaskPushNotificationConfig',
      request: validate(operations.GetTaskPushNotificationConfig.params, params),
    },
    encoder: encoderV1,
  }),
  ListTaskPushNotificationConfigs: (params) => ({
    call: {
      operation: 'ListTaskPushNotificationConfigs',
      request: validate(operations.ListTaskPushNotificationConfigs.params, params),
    },
    encoder: encoderV1,
  }),
  DeleteTaskPushNotificationConfig: (params) => ({
    call: {
      operation: 'DeleteTaskPushNotificationConfig',
      request: validate(operations.DeleteTaskPushNotificationConfig.params, params),
    },
    encoder: encoderV1,
  }),
  GetExtendedAgentCard: () => ({
    call: { operation: 'GetExtendedAgentCard' },
    encoder: encoderV1,
  }),
} satisfies Readonly<Record<string, MethodDecoder>>;

export type MethodV1 = keyof typeof decoders;

/** The methods of A2A 1.0, by name. */
export const methodsV1: Readonly<Record<MethodV1, MethodDecoder>> = decoders;
