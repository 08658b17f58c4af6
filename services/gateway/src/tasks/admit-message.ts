import { hasMessage } from '@relay/domain';
import { type Refusal, RelayError } from '@relay/protocol';
import { refusalToMessage } from '../access/may-message.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { MessageCommand, MessageToAgent } from './task-commands.ts';

type Context = Pick<GatewayContext, 'registry' | 'record' | 'commands' | 'rates'>;

/**
 * The command of a message, where its sender may send it now. One that was taken in before, and comes again,
 * finds what is there whatever was forbidden since.
 * @param toCommand checks what the message holds
 * @throws RelayError blocked, notMessageable, tooManyMessages, or as toCommand does
 */
export async function admitMessage(
  context: Context,
  message: MessageToAgent,
  toCommand: () => MessageCommand,
): Promise<MessageCommand> {
  const { registry, rates } = context;
  const { sender, callee } = message;
  const refusal = await refusalToMessage(registry, sender.agent, callee);
  if (refusal) await requireTakenIn(context, message, refusal);
  const command = toCommand();
  if (refusal) return command;
  const direction = { senderId: sender.agent.id, receiverId: callee.id };
  const offer = command.type === 'submit' ? command.offer : undefined;
  const limited = offer
    ? await rates.countChatMessage(direction, offer.chatId)
    : await rates.countTaskMessage(direction);
  if (limited) await requireTakenIn(context, message, limited);
  return command;
}

/** @throws RelayError with the refusal, where the message was not taken in before */
async function requireTakenIn(
  { record, commands }: Context,
  message: MessageToAgent,
  refusal: Refusal,
): Promise<void> {
  const { messageId } = message.message;
  const taskId = commands.taskIdFor(message);
  const recorded = messageId && taskId ? await record.readState(taskId) : undefined;
  const pair = { requesterId: message.sender.agent.id, calleeId: message.callee.id };
  const isTakenIn = recorded && messageId && hasMessage(recorded.snapshot, { messageId, ...pair });
  if (!isTakenIn) throw new RelayError(refusal);
}
