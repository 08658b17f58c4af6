import type { RecordedState, RecordedTask } from '@relay/bus';
import { type ExchangeSnapshot, isOfTask } from '@relay/domain';
import { type Message, RelayError, type TaskId } from '@relay/protocol';
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
export function waitForChatAnswer(
  call: AddressCall,
  waiting: Waiting,
  exchange: ExchangeSnapshot,
): Promise<ChatAnswer> {
  const { reply: message, revision } = exchange;
  return message
    ? Promise.resolve({ type: 'message', message, revision })
    : hearAnswer(call, waiting, openOf(exchange));
}

/** What is needed of an exchange while it is open; its message may be large. */
interface OpenExchange {
  readonly taskId: TaskId;
  readonly revision: number;
  /** What DEADLINE_EXCEEDED tells of it. */
  readonly metadata: Readonly<Record<string, string>>;
}

function openOf({ taskId, revision, chatId, chatMessageId, message }: ExchangeSnapshot) {
  const metadata = {
    contextId: chatId,
    messageId: message.messageId,
    relayMessageId: chatMessageId,
  };
  return { taskId, revision, metadata };
}

async function hearAnswer(
  { context, request }: AddressCall,
  { task, openCall }: Waiting,
  { taskId, revision, metadata }: OpenExchange,
): Promise<ChatAnswer> {
  context.inFlight.rest(request);
  const time = AbortSignal.timeout(context.config.sendWaitSeconds * 1_000);
  const heard = await task.newerThan(revision, AbortSignal.any([openCall.signal, time]));
  openCall.throwIfRevoked();
  // What was heard may lag behind, so the record says how it stands.
  const recorded = heard ?? (await context.record.readState(taskId));
  const answer = recorded && answerIn(recorded);
  if (answer) return answer;
  throw new RelayError(openCall.isCutShort ? 'unavailable' : { error: 'answerTimedOut', metadata });
}

function answerIn(recorded: RecordedState): ChatAnswer | undefined {
  if (isOfTask(recorded)) return { type: 'task', recorded };
  const { reply: message, revision } = recorded.snapshot;
  return message && { type: 'message', message, revision };
}
