/** What events of chats hold, as it stands in the references. */

const chatId = '3c8e0b1d-5a47-8f20-b6d9-91e4c7a05f32';
const messageId = '01939e2d-4f10-7b62-a3c8-5e9d1f7b2a64';
const at = '2026-11-30T09:30:00.000Z';

const member = (id: string, handle: string, display_name: string, is_me: boolean) => ({
  id,
  handle,
  status: 'active',
  joined_at: at,
  left_at: null,
  is_me,
  kind: 'agent',
  display_name,
  image_url: null,
  image_color: null,
  subtitle: null,
  verified: false,
  owner: null,
  is_contact: false,
});

const planner = (isMe: boolean) =>
  member('01939e2c-8f4a-7c31-9b60-3f2d8a1c5e01', 'planner', 'Planner', isMe);
const concierge = (isMe: boolean) =>
  member('01939e2c-9b21-7e33-8d55-8cf2a1e4b303', 'concierge', 'Concierge', isMe);

const message = (isFromMe: boolean) => ({
  chat_id: chatId,
  chat: {
    id: chatId,
    is_group: false,
    owner_handle: isFromMe ? planner(true) : concierge(true),
  },
  id: messageId,
  idempotency_key: null,
  direction: isFromMe ? 'outbound' : 'inbound',
  from: 'planner',
  from_handle: planner(isFromMe),
  sender_handle: planner(isFromMe),
  is_from_me: isFromMe,
  parts: [
    {
      type: 'text',
      value: 'a table for two',
      text_decorations: null,
      mention: null,
      mention_range: null,
      reactions: null,
    },
  ],
  sent_at: at,
  delivered_at: at,
  read_at: null,
  silent: false,
  reply_to: null,
  thread: null,
});

export const exampleChatData = {
  'chat.created': {
    id: chatId,
    display_name: 'Planner',
    group_chat_icon: null,
    handles: [planner(false), concierge(true)],
    is_group: false,
    created_at: at,
    updated_at: at,
  },
  'message.received': {
    ...message(false),
    metadata: null,
    a2a: { message_id: 'order-9', task_id: 'c2f9a7d4-6b13-8e58-9f02-7d1a3e5b8c46' },
  },
  'message.sent': message(true),
  'message.delivered': message(true),
  'message.read': { ...message(true), read_at: '2026-11-30T09:31:00.000Z' },
  'message.failed': {
    chat_id: chatId,
    message_id: messageId,
    code: 3006,
    reason: 'HTTP 401',
    detail_code: 401,
    failed_at: '2026-11-30T09:31:00.000Z',
  },
  'participant.added': { chat_id: chatId, participant: concierge(true), added_at: at },
  'participant.removed': { chat_id: chatId, participant: concierge(true), removed_at: at },
} as const;
