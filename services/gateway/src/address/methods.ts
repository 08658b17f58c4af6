import { type ErrorKey, type Operation, RelayError } from '@relay/protocol';
import type { AddressCall } from './address-call.ts';
import { sendMessage } from './send-message.ts';
import { sendStreamingMessage, subscribeToTask } from './stream-task.ts';
import { cancelTask, getTask, listTasks } from './task-operations.ts';

/** How a method answers: with one result, or by a stream that it opens itself. */
export type Method =
  | { readonly kind: 'unary'; readonly call: Call<unknown> }
  | { readonly kind: 'streaming'; readonly call: Call<void> };

type Call<Result> = (call: AddressCall, params: unknown) => Promise<Result>;

const operations: Readonly<Record<Operation, Method>> = {
  SendMessage: { kind: 'unary', call: sendMessage },
  SendStreamingMessage: { kind: 'streaming', call: sendStreamingMessage },
  GetTask: { kind: 'unary', call: getTask },
  ListTasks: { kind: 'unary', call: listTasks },
  CancelTask: { kind: 'unary', call: cancelTask },
  SubscribeToTask: { kind: 'streaming', call: subscribeToTask },
};

/** Methods of A2A that Relay's cards say it does not have. */
const unsupported: Readonly<Record<string, ErrorKey>> = {
  CreateTaskPushNotificationConfig: 'pushNotSupported',
  GetTaskPushNotificationConfig: 'pushNotSupported',
  ListTaskPushNotificationConfigs: 'pushNotSupported',
  DeleteTaskPushNotificationConfig: 'pushNotSupported',
  GetExtendedAgentCard: 'operationNotSupported',
};

const methods: ReadonlyMap<string, Method> = new Map(Object.entries(operations));
const refusals: ReadonlyMap<string, ErrorKey> = new Map(Object.entries(unsupported));

/** @throws RelayError methodNotFound, or that the operation is not supported */
export function findMethod(name: string): Method {
  const method = methods.get(name);
  if (!method) throw new RelayError(refusals.get(name) ?? 'methodNotFound');
  return method;
}
