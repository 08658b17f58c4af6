import type { RecordedState, RecordedTask } from '@relay/bus';
import { type ExchangeSnapshot, isOfTask } from '@relay/domain';
import { type Message, RelayError } from '@relay/protocol';
import type { AddressCall } from './address-call.ts';
import type { Waiting } from './waiting-call.ts';

/** What the agent has made of a message: a Message in the chat, or a Task. */
export type ChatAnswer =
  | { readonly type: 'message'; readonly message: Message; readonly revision: number }
  | { readonly type: 'task'; readonly recorded: RecordedTask };

/**
 * Waits until the agent answers a message in the chat or makes a task of it (contract §3.7–3.8), as long
 * as SendMessage may wait. The message stays where there is no answer.
 * @throws RelayError answerTimedOut, unavailable where the relay stops meanwhile
 */
export async function waitForChatAnswer(
  { context }: AddressCall,
  { task, openCall }: Waiting,
  exchange: ExchangeSnapshot,
): Promise<ChatAnswer> {
  if (exchange.reply) {
    return { type: 'message', message: exchange.reply, revision: exchange.revision };
  }
  const time = AbortSignal.timeout(context.config.sendWaitSeconds * 1_000);
  const heard = await task.newerThan(exchange.revision, AbortSignal.any([openCall.signal, time]));
  openCall.throwIfRevoked();
  // What was heard may lag behind, so the record says how it stands.
  const recorded = heard ?? (await context.record.readState(exchange.taskId));
  const answer = recorded && answerIn(recorded);
  if (answer) return answer;
  throw new RelayError(openCall.isCutShort ? 'unavailable' : timedOut(exchange));
}

function answerIn(recorded: RecordedState): ChatAnswer | undefined {
  if (isOfTask(recorded)) return { type: 'task', recorded };
  const { reply: message, revision } = recorded.snapshot;
  return message && { type: 'message', message, revision };
}

function timedOut({ chatId, chatMessageId, message }: ExchangeSnapshot) {
  const metadata = {
    contextId: chatId,
    messageId: message.messageId,
    relayMessageId: chatMessageId,
  };
  return { error: 'answerTimedOut', metadata } as const;
}
