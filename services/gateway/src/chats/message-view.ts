import type { RecordedChat } from '@relay/bus';
import {
  type ChatSnapshot,
  memberOf,
  recipientsOf,
  viewMember,
  viewPart,
  viewReply,
  viewThread,
} from '@relay/domain';
import type { AgentId, ChatMessageView } from '@relay/protocol';
import { type ReadMarks, readAt } from './read-marks.ts';
import { isGroupChange, systemEventOf, viewSystemPart } from './system-event.ts';

/** A message, or a system event of a group, as a member sees it in the history. */
export function viewMessage(
  { change, snapshot }: RecordedChat,
  chat: ChatSnapshot,
  viewerId: AgentId,
  reads: ReadMarks,
): ChatMessageView {
  const { at, revision } = change;
  const common = {
    chat_id: chat.chatId,
    created_at: at,
    updated_at: at,
    sent_at: at,
    delivered_at: at,
    edited_at: null,
    unsent_at: null,
  };
  if (change.type !== 'message-sent') {
    if (!isGroupChange(change)) throw new Error(`A history does not tell of ${change.type}`);
    return {
      id: change.id,
      from: null,
      from_handle: null,
      parts: [viewSystemPart(change, snapshot, viewerId)],
      reply_to: null,
      thread: null,
      is_from_me: false,
      delivery_status: 'delivered',
      read_at: null,
      silent: true,
      deliveries: [],
      is_system_message: true,
      system_event: systemEventOf(change),
      ...common,
    };
  }
  const { message, sender } = change;
  // Whoever came later did not get it, and whoever has left did.
  const deliveries = recipientsOf(snapshot, message).map(({ contact }) => ({
    contact: viewMember(memberOf(chat, contact.id), viewerId),
    delivered_at: at,
    read_at: readAt(reads, contact.id, revision),
  }));
  const times = deliveries.map(({ read_at }) => read_at);
  const isDelivered = deliveries.length > 0;
  const isRead = isDelivered && times.every((time) => time !== null);
  return {
    id: message.id,
    from: sender.handle,
    from_handle: viewMember({ ...memberOf(chat, sender.id), contact: sender }, viewerId),
    parts: message.parts.map(viewPart),
    reply_to: viewReply(message.replyTo),
    thread: viewThread(message.thread),
    is_from_me: sender.id === viewerId,
    delivery_status: isRead ? 'read' : isDelivered ? 'delivered' : 'sent',
    read_at: isRead
      ? (times
          .flatMap((time) => time ?? [])
          .toSorted()
          .at(-1) ?? null)
      : null,
    silent: message.silent,
    deliveries,
    is_system_message: false,
    system_event: null,
    metadata: message.metadata,
    ...common,
    delivered_at: isDelivered ? at : null,
  };
}
