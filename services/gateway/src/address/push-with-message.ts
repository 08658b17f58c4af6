import { isExchange, isOfPair } from '@relay/domain';
import { type PushConfigInput, RelayError } from '@relay/protocol';
import type { MessageCommand, SendReply } from '../tasks/task-commands.ts';
import { commandFields } from '../webhooks/delivery-commands.ts';
import { type AddressCall, pairOf } from './address-call.ts';

/**
 * Has a message taken in, and before it the push notification config that came with it, so that no change is
 * missed: the config is told of changes from the one on that takes the message in, and where that is refused
 * it is as if it had never been there.
 * @throws RelayError where the message or the config is refused
 */
export function sendWithPush(
  call: AddressCall,
  command: MessageCommand,
  config: PushConfigInput | undefined,
): Promise<SendReply> {
  const { commands } = call.context;
  return config ? configureAndSend(call, command, config) : commands.send(command);
}

async function configureAndSend(
  call: AddressCall,
  command: MessageCommand,
  config: PushConfigInput,
): Promise<SendReply> {
  const { commands, deliveryCommands } = call.context;
  if (!(await isNew(call, command))) return commands.send(command);
  const { messageId } = command.message;
  const fields = { taskId: command.taskId, ...commandFields(call.caller.agent.id) };
  await deliveryCommands.execute<'set-push-config'>({
    type: 'set-push-config',
    config,
    form: call.encoder.pushForm,
    start: { messageId },
    ...fields,
  });
  try {
    return await commands.send(command);
  } catch (error) {
    if (isRefused(error)) {
      const withdraw = { type: 'withdraw-push-config', messageId, ...fields } as const;
      await deliveryCommands.execute<'withdraw-push-config'>(withdraw).catch(() => undefined);
    }
    throw error;
  }
}

/**
 * What comes with a message that was taken in before is ignored, as its body is; and a task of somebody else
 * is refused without a trace.
 */
async function isNew(call: AddressCall, { taskId, message }: MessageCommand): Promise<boolean> {
  const recorded = await call.context.record.readState(taskId);
  if (!recorded) return true;
  const { snapshot } = recorded;
  if (isExchange(snapshot) || !isOfPair(snapshot, pairOf(call))) return false;
  return snapshot.requesterMessages.every(({ messageId }) => messageId !== message.messageId);
}

/** Not where it may have been taken in, or will be when it is sent again. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof RelayError &&
    error.refusal.error !== 'unavailable' &&
    error.refusal.error !== 'internal'
  );
}
