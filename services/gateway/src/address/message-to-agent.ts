import type { TaskCommand } from '@relay/domain';
import {
  RelayError,
  type SendMessageRequest,
  sendMessageRequestSchema,
  validate,
} from '@relay/protocol';
import type { AddressCall } from './address-call.ts';

/** A message that was read and may be sent, and the command that takes it in. */
export interface ReadMessage {
  readonly request: SendMessageRequest;
  readonly command: TaskCommand;
}

/** @throws RelayError where the request is not valid or the caller may not send it */
export function readMessage(call: AddressCall, params: unknown): ReadMessage {
  const request = validate(sendMessageRequestSchema, params);
  if (request.configuration?.taskPushNotificationConfig) throw new RelayError('pushNotSupported');
  const { record } = call.request;
  const command = call.context.commands.forMessage({
    sender: call.caller,
    callee: call.callee,
    message: request.message,
    metadata: request.metadata,
    traceId: record.traceId,
  });
  record.taskId = command.taskId;
  return { request, command };
}
