import { RelayError } from '@relay/protocol';
import { z } from 'zod';

/** The list that a cursor is of: with another one it would skip or repeat. */
export interface MessageList {
  readonly chatId: string;
  readonly threadId: string | null;
  readonly order: 'asc' | 'desc';
}

const cursorSchema = z.tuple([
  z.string(),
  z.string().nullable(),
  z.enum(['asc', 'desc']),
  z.int().min(1),
]);

export function encodeMessageCursor(
  { chatId, threadId, order }: MessageList,
  revision: number,
): string {
  return Buffer.from(JSON.stringify([chatId, threadId, order, revision])).toString('base64url');
}

/**
 * The revision that the page before ended with.
 * @throws RelayError invalidParams for a cursor that this list did not give
 */
export function decodeMessageCursor(list: MessageList, cursor: string): number {
  const parsed = cursorSchema.safeParse(parse(cursor));
  const [chatId, threadId, order, revision] = parsed.data ?? [];
  const isSame = chatId === list.chatId && threadId === list.threadId && order === list.order;
  if (isSame && revision !== undefined) return revision;
  throw new RelayError({ error: 'invalidParams', message: 'The cursor is not of this list.' });
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
