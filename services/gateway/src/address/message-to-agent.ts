import { type MessageRequest, RelayError } from '@relay/protocol';
import { admitMessage } from '../tasks/admit-message.ts';
import type { MessageCommand } from '../tasks/task-commands.ts';
import type { AddressCall } from './address-call.ts';

/**
 * The command that takes a message in.
 * @throws RelayError where the caller may not send it
 */
export async function commandFor(
  call: AddressCall,
  request: MessageRequest,
): Promise<MessageCommand> {
  const isPushed = request.configuration?.taskPushNotificationConfig !== undefined;
  if (isPushed && !call.context.config.a2aPush) throw new RelayError('pushNotSupported');
  const { record } = call.request;
  const { message, metadata, newTaskId } = request;
  const { caller, callee, context } = call;
  const owner = await context.registry.ownerOf(callee);
  const { traceId } = record;
  const sent = { sender: caller, message, metadata, newTaskId, traceId };
  const command = await admitMessage(context, { callee, ...sent }, () =>
    context.commands.forMessageAtAddress({ callee: { agent: callee, owner }, ...sent }),
  );
  record.taskId = command.taskId;
  return command;
}
