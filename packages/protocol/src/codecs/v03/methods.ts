import { operations } from '../../operations.ts';
import { validate } from '../../validate.ts';
import type { MethodDecoder } from '../decoded-call.ts';
import { refusing } from '../v1.ts';
import { sendParamsV03Schema, toSendMessageRequest } from './decode.ts';
import { encoderV03 } from './encode.ts';

/**
 * A2A 0.3 over JSON-RPC. What it bridges:
 * - results and events are bare and say their `kind`; parts too;
 * - states and roles are words in lower case;
 * - a file part holds a `file` with `bytes` or `uri`, `name` and `mimeType`;
 * - data is an object: anything else is wrapped, and marked as the SDKs do;
 * - `blocking` is the opposite of `returnImmediately`;
 * - `final` tells that a stream ends, also where the agent asks for input.
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
  'tasks/pushNotificationConfig/set': refusing('pushNotSupported'),
  'tasks/pushNotificationConfig/get': refusing('pushNotSupported'),
  'tasks/pushNotificationConfig/list': refusing('pushNotSupported'),
  'tasks/pushNotificationConfig/delete': refusing('pushNotSupported'),
  'agent/getAuthenticatedExtendedCard': () => ({
    call: { operation: 'GetExtendedAgentCard' },
    encoder: encoderV03,
  }),
} satisfies Readonly<Record<string, MethodDecoder>>;
