import type { Refusal } from '@relay/protocol';
import { roomToEnd } from '../task-size.ts';
import type { ChatChange } from './chat.ts';

/**
 * Refuses a message that is too large, so that what waits for it as an answer can hold it. One from the A2A
 * door was measured when it was offered, and what opens a task when its task was.
 * @param bytes of the change as the record would hold it
 * @param limit of the content of a task, in bytes
 */
export function checkChatSize(
  change: ChatChange,
  bytes: number,
  limit: number,
): Refusal | undefined {
  const isMeasuredHere = change.type === 'message-sent' && change.message.a2a === null;
  if (!isMeasuredHere || bytes <= limit - roomToEnd) return undefined;
  return { error: 'bodyTooLarge', message: 'The message is too large.' };
}
