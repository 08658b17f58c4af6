import type { ErrorKey } from '../errors.ts';
import { RelayError } from '../errors.ts';
import { listTasksRequestSchema, operations } from '../operations.ts';
import { validate } from '../validate.ts';
import type { AnswerEncoder, MethodDecoder } from './decoded-call.ts';

/** A2A 1.0 is the canonical form: it is read as ProtoJSON and written as it is. It loses nothing. */
const encoderV1: AnswerEncoder = {
  answer: (answer) => answer,
  task: (task) => task,
  card: (card) => card,
  noCard: 'operationNotSupported',
  events: ({ response }) => [response],
};

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
  CreateTaskPushNotificationConfig: refusing('pushNotSupported'),
  GetTaskPushNotificationConfig: refusing('pushNotSupported'),
  ListTaskPushNotificationConfigs: refusing('pushNotSupported'),
  DeleteTaskPushNotificationConfig: refusing('pushNotSupported'),
  GetExtendedAgentCard: () => ({
    call: { operation: 'GetExtendedAgentCard' },
    encoder: encoderV1,
  }),
} satisfies Readonly<Record<string, MethodDecoder>>;

export type MethodV1 = keyof typeof decoders;

/** The methods of A2A 1.0, by name. */
export const methodsV1: Readonly<Record<MethodV1, MethodDecoder>> = decoders;

/** A method that Relay's cards say it does not have. */
export function refusing(error: ErrorKey): MethodDecoder {
  return () => {
    throw new RelayError(error);
  };
}
