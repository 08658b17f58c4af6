import { createHash, createHmac } from 'node:crypto';
import {
  type AgentId,
  type ChangeId,
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
  const name = JSON.stringify([requesterId, calleeId, messageId]);
  return taskIdSchema.parse(uuidOf(createHmac('sha256', secret).update(name).digest()));
}

/** The id of the event that tells one recipient of one change: stable across redeliveries. */
export function deriveEventId(changeId: ChangeId, recipientId: AgentId, type: EventType): string {
  return uuidOf(createHash('sha256').update(`${changeId} ${recipientId} ${type}`).digest());
}

/** The first 16 bytes as a UUID of version 8 (RFC 9562 §5.8: custom). */
function uuidOf(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
