import type { Message } from '@relay/protocol';
import { toA2aParts, toChatParts } from '../chat/a2a-parts.ts';
import type { ChatChange, ChatCommand, ChatSnapshot } from '../chat/chat.ts';
import { toChatContact } from '../chat/chat-contact.ts';
import type { ExchangeOutcome, ExchangeSnapshot } from './exchange.ts';

type CommandFields = Pick<ChatCommand, 'changeId' | 'traceId' | 'at'>;

/** Puts the message of an exchange into its chat: the same message however often. */
export function sendToChat(
  exchange: ExchangeSnapshot,
  { changeId, traceId, at }: CommandFields,
): ChatCommand {
  const { chatId, chatMessageId: id, taskId, requester, callee, message, offeredAt } = exchange;
  const sender = toChatContact(requester);
  const parts = toChatParts(message.parts);
  if ('error' in parts) throw new Error('An exchange was offered that no chat takes');
  return {
    changeId,
    traceId,
    at,
    chatId,
    type: 'send',
    sender,
    beginning: { isGroup: false, members: [sender, callee] },
    message: {
      id,
      parts,
      replyTo: null,
      thread: null,
      silent: false,
      metadata: message.metadata ?? null,
      idempotencyKey: null,
      a2a: { messageId: message.messageId, taskId },
    },
    firstSentAt: offeredAt,
  };
}

/** What a change of a chat means for an exchange, to be published; nothing for most changes. */
export function outcomeOf(
  change: ChatChange,
  { chatId }: Pick<ChatSnapshot, 'chatId'>,
): ExchangeOutcome | undefined {
  const { id: changeId, traceId, at } = change;
  const fields = { changeId, traceId, at };
  if (change.type === 'upgraded') {
    const { taskId, opening } = change;
    return { type: 'publish-opening', taskId, opening, ...fields };
  }
  if (change.type !== 'message-sent' || change.answers === null) return undefined;
  const { id: messageId, parts } = change.message;
  const reply: Message = {
    messageId,
    contextId: chatId,
    role: 'ROLE_AGENT',
    parts: [...toA2aParts(parts)],
  };
  return { type: 'publish-answer', taskId: change.answers, reply, ...fields };
}

/** The revision at which a command settled an exchange in the chat, if it did. */
export function settledBy(
  { recentChanges, settledExchanges }: ChatSnapshot,
  { changeId }: Pick<ChatCommand, 'changeId'>,
): number | undefined {
  const revision = recentChanges.find((change) => change.changeId === changeId)?.revision;
  return settledExchanges.find(
    (settled) => settled.revision === revision && settled.outcome !== 'lapsed',
  )?.revision;
}
