import type { ChatRecord } from '@relay/bus';
import { type ChatChange, type ChatSnapshot, completedBy, type ReadMessage } from '@relay/domain';

/** Changes that are looked at: each costs a read. */
const maximumChanges = 256;
/** What one mark tells of at most: each becomes an event, and one message of a feed holds as many. */
const maximumMessages = 64;
const maximumBytes = 128 * 1024;

type Reading = Extract<ChatChange, { type: 'read' }>;

/**
 * The mark with the messages by it that all who got them have read; of many the last ones, since those
 * before them are read as well.
 * @param chat before the mark
 */
export async function withReadByAll(
  reading: Reading,
  chat: ChatSnapshot,
  record: ChatRecord,
): Promise<Reading> {
  const found: ReadMessage[] = [];
  let changes = 0;
  let bytes = 0;
  for await (const past of record.backwards(chat.chatId)) {
    changes += 1;
    if (past.change.revision <= reading.after || changes > maximumChanges) break;
    const message = completedBy(reading, chat, past);
    if (!message) continue;
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (found.length > 0 && bytes > maximumBytes) break;
    found.push(message);
    if (found.length === maximumMessages) break;
  }
  return { ...reading, readByAll: found.toReversed() };
}
