import { operations } from '../../operations.ts';
import { validate } from '../../validate.ts';
import type { MethodDecoder } from '../decoded-call.ts';
import {
  pushConfigParamsV03Schema,
  sendParamsV03Schema,
  setPushConfigParamsV03Schema,
  toSendMessageRequest,
} from './decode.ts';
import { encoderV03 } from './encode.ts';

/**
 * A2A 0.3 over JSON-RPC. What it bridges:
 * - results and events are bare and say their `kind`; parts too;
 * - states and roles are words in lower case;
 * - a file part holds a `file` with `bytes` or `uri`, `name` and `mimeType`;
 * - data is an object: anything else is wrapped, and marked as the SDKs do;
 * - `blocking` is the opposite of `returnImmediately`;
 * - `final` tells that a stream ends, also where the agent asks for input;
 * - a push notification config is nested, names several schemes, and is told the whole Task.
 *
 * What it cannot carry: the media type and file name of text and data parts, and lists of tasks.
 */
export const methodsV03 = {
  'message/send': (params) => ({
    call: {
      operation: 'SendMessage',
      request: toSendMessageRequest(validate(sendParamsV03Schema, params)),
    },
    encoder: encoderV03,
  }),
  'message/stream': (params) => ({
    call: {
      operation: 'SendStreamingMessage',
      request: toSendMessageRequest(validate(sendParamsV03Schema, params)),
      endsWhenAsked: true,
    },
    encoder: encoderV03,
  }),
  'tasks/get': (params) => ({
    call: { operation: 'GetTask', request: validate(operations.GetTask.params, params) },
    encoder: encoderV03,
  }),
  'tasks/cancel': (params) => ({
    call: { operation: 'CancelTask', request: validate(operations.CancelTask.params, params) },
    encoder: encoderV03,
  }),
  'tasks/resubscribe': (params) => ({
    call: {
      operation: 'SubscribeToTask',
      request: validate(operations.SubscribeToTask.params, params),
    },
    encoder: encoderV03,
  }),
  'tasks/pushNotificationConfig/set': (params) => {
    const { taskId, pushNotificationConfig: config } = validate(
      setPushConfigParamsV03Schema,
      params,
    );
    const operation = 'CreateTaskPushNotificationConfig';
    return { call: { operation, request: { taskId, config } }, encoder: encoderV03 };
  },
  'tasks/pushNotificationConfig/get': (params) => {
    const read = validate(pushConfigParamsV03Schema.get, params);
    const request = { taskId: read.id, id: read.pushNotificationConfigId };
    return { call: { operation: 'GetTaskPushNotificationConfig', request }, encoder: encoderV03 };
  },
  'tasks/pushNotificationConfig/list': (params) => {
    const { id: taskId } = validate(pushConfigParamsV03Schema.list, params);
    const operation = 'ListTaskPushNotificationConfigs';
    return { call: { operation, request: { taskId } }, encoder: encoderV03 };
  },
  'tasks/pushNotificationConfig/delete': (params) => {
    const read = validate(pushConfigParamsV03Schema.delete, params);
    const request = { taskId: read.id, id: read.pushNotificationConfigId };
    const operation = 'DeleteTaskPushNotificationConfig';
    return { call: { operation, request }, encoder: encoderV03 };
  },
  'agent/getAuthenticatedExtendedCard': () => ({
    call: { operation: 'GetExtendedAgentCard' },
    encoder: encoderV03,
  }),
} satisfies Readonly<Record<string, MethodDecoder>>;
