import { expect } from 'vitest';
import type { TestAgent } from './gateway-client.ts';

/** The shapes that the contract shows of chats (§2.2, §4.4), key by key, with what a test knows filled in. */

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const anId = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export const shapes = { aTime, anId };

export function handleShape({ id, handle }: TestAgent, isMe: boolean, fields: object = {}) {
  return {
    id,
    handle,
    status: 'active',
    joined_at: aTime,
    left_at: null,
    is_me: isMe,
    kind: 'agent',
    display_name: handle,
    image_url: null,
    image_color: null,
    subtitle: null,
    verified: false,
    owner: null,
    is_contact: false,
    ...fields,
  };
}

export function envelopeShape(type: string, { id }: TestAgent, data: object) {
  return {
    api_version: 'v1',
    webhook_version: '2026-08-30',
    event_type: type,
    event_id: anId,
    created_at: aTime,
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    agent_id: id,
    data,
  };
}

interface MessageInEvent {
  readonly chatId: string;
  readonly messageId: string;
  readonly from: TestAgent;
  readonly to: TestAgent;
  readonly fields?: object;
}

/** Data of message.sent, delivered, read; with `metadata` and `a2a` of message.received. */
export function messageEventShape({ chatId, messageId, from, to, fields = {} }: MessageInEvent) {
  const isFromMe = from.id === to.id;
  return {
    chat_id: chatId,
    chat: { id: chatId, is_group: false, owner_handle: handleShape(to, true) },
    id: messageId,
    idempotency_key: null,
    direction: isFromMe ? 'outbound' : 'inbound',
    from: from.handle,
    from_handle: handleShape(from, isFromMe),
    sender_handle: handleShape(from, isFromMe),
    is_from_me: isFromMe,
    parts: [textInEvent('hello')],
    sent_at: aTime,
    delivered_at: aTime,
    read_at: null,
    silent: false,
    reply_to: null,
    thread: null,
    ...fields,
  };
}

export function textInEvent(value: string) {
  const unused = { text_decorations: null, mention: null, mention_range: null, reactions: null };
  return { type: 'text', value, ...unused };
}

function textInRest(value: string) {
  return {
    type: 'text',
    value,
    mentions: null,
    mention: null,
    mention_range: null,
    reactions: null,
  };
}

/** What a sender is answered. */
export function sentShape(from: TestAgent, fields: object = {}) {
  return {
    id: anId,
    parts: [textInRest('hello')],
    created_at: aTime,
    sent_at: aTime,
    delivered_at: aTime,
    delivery_status: 'delivered',
    from_handle: handleShape(from, true),
    silent: false,
    reply_to: null,
    thread: null,
    ...fields,
  };
}

/** A message of a direct chat in its history, as one of the two sees it. */
export function historyShape(
  { chatId, from, to, viewer }: Record<'from' | 'to' | 'viewer', TestAgent> & { chatId: string },
  fields: object = {},
) {
  return {
    id: anId,
    chat_id: chatId,
    from: from.handle,
    from_handle: handleShape(from, from.id === viewer.id),
    parts: [textInRest('hello')],
    reply_to: null,
    thread: null,
    is_from_me: from.id === viewer.id,
    delivery_status: 'delivered',
    created_at: aTime,
    updated_at: aTime,
    sent_at: aTime,
    delivered_at: aTime,
    read_at: null,
    edited_at: null,
    unsent_at: null,
    silent: false,
    deliveries: [
      { contact: handleShape(to, to.id === viewer.id), delivered_at: aTime, read_at: null },
    ],
    is_system_message: false,
    system_event: null,
    metadata: null,
    ...fields,
  };
}

export function chatShape(chatId: string, handles: readonly object[], fields: object = {}) {
  return {
    id: chatId,
    display_name: expect.any(String),
    group_chat_icon: null,
    handles,
    is_group: false,
    created_at: aTime,
    updated_at: aTime,
    ...fields,
  };
}
