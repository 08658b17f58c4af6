import { validate } from '../../validate.ts';
import type { MethodDecoder } from '../decoded-call.ts';
import { methodsV1 } from '../v1.ts';
import { methodsV03 } from '../v03/methods.ts';
import {
  createPushConfigBodyV03HttpSchema,
  sendBodyV03HttpSchema,
  toSendMessageRequest,
} from './decode.ts';
import { encoderV03Http } from './encode.ts';

const inHttpForm =
  (decode: MethodDecoder): MethodDecoder =>
  (params) => ({ call: decode(params).call, encoder: encoderV03Http });

/**
 * A2A 0.3 over HTTP+JSON, which is the JSON of its own proto. What it bridges, beside 0.3's `blocking` and
 * `final`:
 * - a message's parts are its `content`; a file holds `fileWithBytes` or `fileWithUri`; data is wrapped once;
 * - states are the enum's names, and a canceled task is `TASK_STATE_CANCELLED`.
 *
 * What it cannot carry: the media type and file name of text and data parts, `referenceTaskIds`, and a
 * `historyLength` of 0 in a send.
 */
export const operationsV03Http = {
  SendMessage: (body) => ({
    call: {
      operation: 'SendMessage',
      request: toSendMessageRequest(validate(sendBodyV03HttpSchema, body)),
    },
    encoder: encoderV03Http,
  }),
  SendStreamingMessage: (body) => ({
    call: {
      operation: 'SendStreamingMessage',
      request: toSendMessageRequest(validate(sendBodyV03HttpSchema, body)),
      endsWhenAsked: true,
    },
    encoder: encoderV03Http,
  }),
  GetTask: inHttpForm(methodsV03['tasks/get']),
  CancelTask: inHttpForm(methodsV03['tasks/cancel']),
  SubscribeToTask: inHttpForm(methodsV03['tasks/resubscribe']),
  CreateTaskPushNotificationConfig: (body) => {
    const { taskId, ...config } = validate(createPushConfigBodyV03HttpSchema, body);
    const operation = 'CreateTaskPushNotificationConfig';
    return { call: { operation, request: { taskId, config } }, encoder: encoderV03Http };
  },
  GetTaskPushNotificationConfig: inHttpForm(methodsV1.GetTaskPushNotificationConfig),
  ListTaskPushNotificationConfigs: inHttpForm(methodsV1.ListTaskPushNotificationConfigs),
  DeleteTaskPushNotificationConfig: inHttpForm(methodsV1.DeleteTaskPushNotificationConfig),
  GetExtendedAgentCard: inHttpForm(methodsV03['agent/getAuthenticatedExtendedCard']),
} satisfies Readonly<Record<string, MethodDecoder>>;
