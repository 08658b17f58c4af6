import { createHmac, hash } from 'node:crypto';
import {
  type AgentId,
  type ChangeId,
  type ChatId,
  type ChatMessageId,
  changeIdSchema,
  chatIdSchema,
  chatMessageIdSchema,
  type EventType,
  type TaskId,
  taskIdSchema,
} from '@relay/protocol';

/**
 * The id of the task that a message opens: the same for every retry of that message, and not to be
 * guessed without the secret. The names are JSON, because lone surrogates in a messageId would
 * otherwise all hash alike.
 */
export function deriveTaskId(
  secret: Uint8Array,
  requesterId: AgentId,
  calleeId: AgentId,
  messageId: string,
): TaskId {
  return taskIdOf(secret, [requesterId, calleeId, messageId]);
}

/** The id of the task that a requester calls by a name of its own. It is no id that a messageId gives. */
export function deriveNamedTaskId(
  secret: Uint8Array,
  requesterId: AgentId,
  calleeId: AgentId,
  name: string,
): TaskId {
  return taskIdOf(secret, [requesterId, calleeId, 'name', name]);
}

function taskIdOf(secret: Uint8Array, names: readonly string[]): TaskId {
  const text = JSON.stringify(names);
  return taskIdSchema.parse(uuidOf(createHmac('sha256', secret).update(text).digest('hex')));
}

/**
 * The id of the chat of these agents: the same whoever of them begins it, and not to be guessed without
 * the secret.
 * @param ordinal counts the chats that began with these agents; only groups have more than one
 */
export function deriveChatId(
  secret: Uint8Array,
  memberIds: readonly AgentId[],
  ordinal = 0,
): ChatId {
  const name = JSON.stringify(['chat', memberIds.toSorted(), ordinal]);
  return chatIdSchema.parse(uuidOf(createHmac('sha256', secret).update(name).digest('hex')));
}

/** The id in the chat of a message that came to an A2A address: a retry makes no second copy. */
export function deriveExchangeMessageId(taskId: TaskId): ChatMessageId {
  return chatMessageIdSchema.parse(uuidOf(hash('sha256', `chat message of ${taskId}`)));
}

/**
 * The id of the event that tells one recipient of one change: stable across redeliveries.
 * @param about of what in the change, where several events of one type tell it
 */
export function deriveEventId(
  changeId: ChangeId,
  recipientId: AgentId,
  type: EventType,
  about?: string,
): string {
  const names = [changeId, recipientId, type, ...(about === undefined ? [] : [about])];
  return uuidOf(hash('sha256', names.join(' ')));
}

/** The id of what a record says, as that of a change: the same whenever it is read. */
export function deriveRecordId(subject: string, head: string): ChangeId {
  return changeIdSchema.parse(uuidOf(hash('sha256', `${subject} ${head}`)));
}

/** The first 16 bytes as a UUID of version 8 (RFC 9562 §5.8: custom). */
export function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const third = `8${hex.slice(13, 16)}`;
  const fourth = `${variant}${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${third}-${fourth}-${hex.slice(20, 32)}`;
}
