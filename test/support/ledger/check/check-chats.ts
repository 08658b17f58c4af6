import type { AgentClient } from '../agent-client.ts';
import type { Ledger, LedgerMessage } from '../ledger.ts';
import { groupBy } from './group-by.ts';

interface StoredMessage {
  readonly id: string;
  readonly text: string;
}

/** Each message that was acknowledged stands in its chat once, and those of a sender in their order. */
export async function checkChats(
  { messages }: Pick<Ledger, 'messages'>,
  clients: ReadonlyMap<string, AgentClient>,
): Promise<string[]> {
  const chats = [...groupBy(messages, ({ chatId }) => chatId)].map(
    async ([chatId, acknowledged]) => {
      const reader = clients.get(acknowledged[0]?.senderId ?? '');
      const stored = (await reader?.listMessages(chatId)) ?? [];
      return checkChat(chatId, acknowledged, stored);
    },
  );
  return (await Promise.all(chats)).flat();
}

/** @param stored the messages of the chat, oldest first; each text is to be there once */
export function checkChat(
  chatId: string,
  acknowledged: readonly LedgerMessage[],
  stored: readonly StoredMessage[],
): string[] {
  const places = new Map(stored.map(({ id }, place) => [id, place]));
  const twice = [...groupBy(stored, ({ text }) => text)].filter(([, { length }]) => length > 1);
  const missing = acknowledged.filter(({ id }) => !places.has(id));
  const senders = [...groupBy(acknowledged, ({ senderId }) => senderId)];
  const disordered = senders.filter(([, sent]) => {
    const order = sent.flatMap(({ id }) => places.get(id) ?? []);
    return order.some((place, index) => place < (order[index - 1] ?? 0));
  });
  return [
    ...twice.map(([text]) => `chat ${chatId}: "${text}" stands there more than once`),
    ...missing.map(({ text }) => `chat ${chatId}: "${text}" is not there`),
    ...disordered.map(([senderId]) => `chat ${chatId}: ${senderId} wrote in another order`),
  ];
}
