import type { AgentId } from '@relay/protocol';
import type { ChatChange, ChatMember, ChatMessage, ChatSnapshot, ReadMessage } from './chat.ts';
import { activeMembers } from './decide-chat.ts';

/** A change of a chat as the record has it. */
interface PastChange {
  readonly change: ChatChange;
  readonly snapshot: Pick<ChatSnapshot, 'members'>;
}

type Reading = Pick<Extract<ChatChange, { type: 'read' }>, 'agentId' | 'after' | 'through'>;

/**
 * Who got a message: whoever was there with its sender, and from whom it was not kept.
 * @param then the chat as the message left it
 */
export function recipientsOf(
  then: Pick<ChatSnapshot, 'members'>,
  { senderId, keptFrom = [] }: Pick<ChatMessage, 'senderId' | 'keptFrom'>,
): readonly ChatMember[] {
  return activeMembers(then).filter(
    ({ contact: { id } }) => id !== senderId && !keptFrom.includes(id),
  );
}

/**
 * The message of an earlier change, where a mark makes it one that all who got it have read: who has left
 * unread has not.
 * @param now the chat before the mark
 */
export function completedBy(
  { agentId, after, through }: Reading,
  now: Pick<ChatSnapshot, 'members'>,
  { change, snapshot }: PastChange,
): ReadMessage | undefined {
  const { revision } = change;
  if (change.type !== 'message-sent' || revision <= after || revision > through) return undefined;
  const ids = recipientsOf(snapshot, change.message).map(({ contact }) => contact.id);
  const hasRead = (id: AgentId) =>
    id === agentId ||
    now.members.some(({ contact, readThrough }) => contact.id === id && readThrough >= revision);
  const isCompleted = ids.includes(agentId) && ids.every(hasRead);
  return isCompleted ? { message: change.message, sentAt: change.at } : undefined;
}
