import type { TaskCommand } from '@relay/domain';
import { type MessageRequest, RelayError } from '@relay/protocol';
import type { AddressCall } from './address-call.ts';

/**
 * The command that takes a message in.
 * @throws RelayError where the caller may not send it
 */
export function commandFor(call: AddressCall, request: MessageRequest): TaskCommand {
  if (request.configuration?.taskPushNotificationConfig) throw new RelayError('pushNotSupported');
  const { record } = call.request;
  const { message, metadata, newTaskId } = request;
  const command = call.context.commands.forMessage({
    sender: call.caller,
    callee: call.callee,
    message,
    metadata,
    newTaskId,
    traceId: record.traceId,
  });
  record.taskId = command.taskId;
  return command;
}
