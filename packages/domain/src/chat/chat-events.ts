import type {
  AgentId,
  ChatPart,
  EventEnvelope,
  MessageEvent,
  ReadPart,
  Timestamp,
} from '@relay/protocol';
import { eventHeader } from '../event-header.ts';
import type { ChatChange, ChatMember, ChatMessage, ChatSnapshot } from './chat.ts';
import { viewChat, viewMember, viewPart, viewReply, viewThread } from './chat-view.ts';
import { activeMember, activeMembers, memberOf } from './decide-chat.ts';
import { recipientsOf } from './read-by-all.ts';

type ChangeOf<Type extends ChatChange['type']> = Extract<ChatChange, { type: Type }>;

/** The events by which the members hear of a change of their chat (contract §4.3). */
export function chatEventsOf(change: ChatChange, chat: ChatSnapshot): readonly EventEnvelope[] {
  switch (change.type) {
    case 'message-sent':
      return [
        ...(change.beginning ? createdEvents(change, chat) : []),
        ...messageEvents(change, chat),
      ];
    case 'member-added':
      return activeMembers(chat).map(({ contact }) => ({
        ...eventHeader(change, contact.id, 'participant.added'),
        data: { ...participant(chat, change.contact.id, contact.id), added_at: change.at },
      }));
    case 'member-removed':
    case 'member-left':
      return toldOfRemoval(chat, change.agentId).map(({ contact }) => ({
        ...eventHeader(change, contact.id, 'participant.removed'),
        data: { ...participant(chat, change.agentId, contact.id), removed_at: change.at },
      }));
    case 'read':
      return readEvents(change, chat);
    case 'upgraded':
    case 'group-changed':
      return [];
  }
}

function createdEvents(change: ChatChange, chat: ChatSnapshot): EventEnvelope[] {
  return activeMembers(chat).map(({ contact }) => ({
    ...eventHeader(change, contact.id, 'chat.created'),
    data: viewChat(chat, contact.id),
  }));
}

function messageEvents(change: ChangeOf<'message-sent'>, chat: ChatSnapshot): EventEnvelope[] {
  const { message, at } = change;
  const { senderId, metadata, a2a } = message;
  const recipients = recipientsOf(chat, message);
  const delivered_at = recipients.length > 0 ? at : null;
  const ownData = { ...messageEvent(message, at, chat, senderId), delivered_at };
  const received = recipients
    .map(({ contact }) => contact.id)
    .map((agentId) => ({
      ...eventHeader(change, agentId, 'message.received'),
      data: {
        ...messageEvent(message, at, chat, agentId),
        metadata,
        a2a: a2a && { message_id: a2a.messageId, task_id: a2a.taskId },
      },
    }));
  const sent = { ...eventHeader(change, senderId, 'message.sent'), data: ownData };
  const delivered = { ...eventHeader(change, senderId, 'message.delivered'), data: ownData };
  return received.length > 0 ? [sent, ...received, delivered] : [sent];
}

/** One change may tell a sender of several messages, so the id of each event is of its message, too. */
function readEvents(change: ChangeOf<'read'>, chat: ChatSnapshot): EventEnvelope[] {
  return change.readByAll
    .filter(({ message }) => activeMember(chat, message.senderId))
    .map(({ message, sentAt }) => ({
      ...eventHeader(change, message.senderId, 'message.read', message.id),
      data: { ...messageEvent(message, sentAt, chat, message.senderId), read_at: change.at },
    }));
}

function messageEvent(
  message: ChatMessage,
  at: Timestamp,
  chat: ChatSnapshot,
  recipientId: AgentId,
): MessageEvent {
  const { chatId, isGroup } = chat;
  const sender = viewMember(memberOf(chat, message.senderId), recipientId);
  const isFromMe = sender.is_me;
  return {
    chat_id: chatId,
    chat: {
      id: chatId,
      is_group: isGroup,
      owner_handle: viewMember(memberOf(chat, recipientId), recipientId),
    },
    id: message.id,
    idempotency_key: message.idempotencyKey,
    direction: isFromMe ? 'outbound' : 'inbound',
    from: sender.handle,
    from_handle: sender,
    sender_handle: sender,
    is_from_me: isFromMe,
    parts: message.parts.map(partInEvent),
    sent_at: at,
    delivered_at: at,
    read_at: null,
    silent: message.silent,
    reply_to: viewReply(message.replyTo),
    thread: viewThread(message.thread),
  };
}

/** Events show text otherwise than REST does. */
function partInEvent(part: ChatPart): ReadPart {
  if (part.type !== 'text') return viewPart(part);
  return { ...part, text_decorations: null, mention: null, mention_range: null, reactions: null };
}

function participant(chat: ChatSnapshot, agentId: AgentId, viewerId: AgentId) {
  return { chat_id: chat.chatId, participant: viewMember(memberOf(chat, agentId), viewerId) };
}

function toldOfRemoval(chat: ChatSnapshot, removedId: AgentId): readonly ChatMember[] {
  return [...activeMembers(chat), memberOf(chat, removedId)];
}
