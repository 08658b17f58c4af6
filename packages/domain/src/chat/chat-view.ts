import type {
  AgentId,
  Chat,
  ChatHandle,
  ChatPart,
  ReadPart,
  SentMessage,
  Timestamp,
} from '@relay/protocol';
import type { ChatMember, ChatMessage, ChatSnapshot, MessageReference } from './chat.ts';
import { activeMembers } from './decide-chat.ts';
import { recipientsOf } from './read-by-all.ts';

/** A member as the viewer sees it. */
export function viewMember(
  { contact, status, joinedAt, leftAt }: ChatMember,
  viewerId: AgentId,
): ChatHandle {
  return {
    ...contact,
    status,
    joined_at: joinedAt,
    left_at: leftAt,
    is_me: contact.id === viewerId,
    kind: 'agent',
    is_contact: false,
  };
}

/** The chat as one of its members sees it. Unnamed, it is called by the others in it. */
export function viewChat(chat: ChatSnapshot, viewerId: AgentId): Chat {
  const { chatId: id, displayName, iconUrl, isGroup, createdAt, updatedAt, members } = chat;
  const viewer = members.find(({ contact }) => contact.id === viewerId);
  const others = activeMembers(chat)
    .map(({ contact }) => contact)
    .filter((contact) => contact.id !== viewerId)
    .map(({ display_name }) => display_name);
  return {
    id,
    display_name: displayName ?? joinNames(others),
    group_chat_icon: iconUrl,
    handles: members.map((member) => viewMember(member, viewerId)),
    is_group: isGroup,
    created_at: createdAt,
    updated_at: viewer?.changedAt ?? updatedAt,
  };
}

/** `Alice`, `Alice & Bob`, `Alice, Bob & Cleo`. */
function joinNames(names: readonly string[]): string | null {
  const last = names.at(-1);
  if (last === undefined) return null;
  const others = names.slice(0, -1).join(', ');
  return others === '' ? last : `${others} & ${last}`;
}

/** A part as REST shows it. What Relay has no use for is null. */
export function viewPart(part: ChatPart): ReadPart {
  switch (part.type) {
    case 'text': {
      const unused = { mentions: null, mention: null, mention_range: null, reactions: null };
      return { ...part, ...unused };
    }
    case 'link':
    case 'data':
      return { ...part, reactions: null };
    case 'media': {
      const { filename = null, media_type = null } = part;
      return { ...part, filename, media_type, reactions: null };
    }
  }
}

export function viewReply(reference: MessageReference | null) {
  return reference && { message_id: reference.messageId, part_index: reference.partIndex };
}

export function viewThread(reference: MessageReference | null) {
  return (
    reference && {
      originator_message_id: reference.messageId,
      originator_part_index: reference.partIndex,
    }
  );
}

/**
 * A message as its sender sees it: delivered, since Relay has stored it, where anybody got it.
 * @param then the chat as the message left it
 */
export function viewSentMessage(
  message: ChatMessage,
  at: Timestamp,
  then: Pick<ChatSnapshot, 'members'>,
): SentMessage {
  const { id, parts, senderId, silent, replyTo, thread } = message;
  const isDelivered = recipientsOf(then, message).length > 0;
  const sender = then.members.find(({ contact }) => contact.id === senderId);
  return {
    id,
    parts: parts.map(viewPart),
    created_at: at,
    sent_at: at,
    delivered_at: isDelivered ? at : null,
    delivery_status: isDelivered ? 'delivered' : 'sent',
    from_handle: sender ? viewMember(sender, senderId) : null,
    silent,
    reply_to: viewReply(replyTo),
    thread: viewThread(thread),
  };
}
