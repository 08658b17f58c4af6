import { hash } from 'node:crypto';
import { validate } from '../../validate.ts';
import type { AnswerEncoder, DecodedCall } from '../decoded-call.ts';
import {
  namedTaskParamsSchema,
  sendParamsV01Schema,
  setPushConfigParamsV01Schema,
  toSendMessageRequest,
} from './decode.ts';
import { encoderV01 } from './encode.ts';

/** A call on a task that the client named: whoever answers it looks up which task that is. */
export interface NamedTaskCall extends DecodedCall {
  readonly taskName: string;
}

export type NamedTaskDecoder = (params: unknown) => NamedTaskCall;

/**
 * A2A 0.1. What it bridges:
 * - the client names its tasks: each name is the caller's own, and answers and events hold it;
 * - a message has no id: it is derived from the task's name and the message, so the same again is a retry;
 * - `sessionId` is the contextId, parts say their `type`, artifacts their `index`, streams `final`;
 * - a stream holds no Task: its artifacts and its status are told instead;
 * - a rejected task is `failed`, and one that needs authentication `input-required`;
 * - a Message as an answer is a task that is completed with it;
 * - history is shown only where `historyLength` asks for it;
 * - a task has one push notification config, with a filter of events; it is told the whole Task.
 *
 * What it cannot carry: artifactIds, a message's ids, extensions and references, the media type and file
 * name of text and data parts, and lists of tasks.
 */
export const methodsV01 = {
  'tasks/send': (params) => {
    const { id, request, encoder } = readSend(params);
    return { call: { operation: 'SendMessage', request }, encoder, taskName: id };
  },
  'tasks/sendSubscribe': (params) => {
    const { id, request, encoder } = readSend(params);
    const call = { operation: 'SendStreamingMessage', request, endsWhenAsked: true } as const;
    return { call, encoder, taskName: id };
  },
  'tasks/get': (params) => {
    const { id, historyLength = 0 } = validate(namedTaskParamsSchema, params);
    return named(id, { operation: 'GetNamedTask', request: { id, historyLength } });
  },
  'tasks/cancel': (params) => {
    const { id, metadata } = validate(namedTaskParamsSchema, params);
    return named(id, { operation: 'CancelTask', request: { id, metadata } });
  },
  'tasks/resubscribe': (params) => {
    const { id } = validate(namedTaskParamsSchema, params);
    return named(id, { operation: 'SubscribeToTask', request: { id } });
  },
  'tasks/pushNotification/set': (params) => {
    const { id, pushNotificationConfig } = validate(setPushConfigParamsV01Schema, params);
    const request = { taskId: id, config: pushNotificationConfig };
    return named(id, { operation: 'CreateTaskPushNotificationConfig', request });
  },
  'tasks/pushNotification/get': (params) => {
    const { id } = validate(namedTaskParamsSchema, params);
    return named(id, { operation: 'GetTaskPushNotificationConfig', request: { taskId: id } });
  },
} satisfies Readonly<Record<string, NamedTaskDecoder>>;

function named(taskName: string, call: DecodedCall['call']): NamedTaskCall {
  return { call, encoder: encoderV01(taskName), taskName };
}

function readSend(params: unknown) {
  const read = validate(sendParamsV01Schema, params);
  const { id, message } = read;
  const messageId = hash('sha256', JSON.stringify([id, message]));
  const encoder: AnswerEncoder = encoderV01(id);
  return { id, request: toSendMessageRequest(read, messageId), encoder };
}
