import {
  type AgentId,
  agentIdSchema,
  type Chat,
  type ChatHandle,
  chatIdSchema,
  chatMessageIdSchema,
  type EventData,
  handleSchema,
  type ReceivedEvent,
  type Timestamp,
} from '@relay/protocol';

/** What events of a chat that never was hold. Every id of it is the given one. */
export function chatDataAt(
  at: Timestamp,
  nobody: string,
  agentId: AgentId,
): Omit<EventData, `task.${string}`> {
  const sender = handleOf(agentIdSchema.parse(nobody), at, false);
  const receiver = handleOf(agentId, at, true);
  const chatId = chatIdSchema.parse(nobody);
  const chat: Chat = {
    id: chatId,
    display_name: sender.display_name,
    group_chat_icon: null,
    handles: [sender, receiver],
    is_group: false,
    created_at: at,
    updated_at: at,
  };
  const received: ReceivedEvent = {
    chat_id: chatId,
    chat: { id: chatId, is_group: false, owner_handle: receiver },
    id: chatMessageIdSchema.parse(nobody),
    idempotency_key: null,
    direction: 'inbound',
    from: sender.handle,
    from_handle: sender,
    sender_handle: sender,
    is_from_me: false,
    parts: [{ type: 'text', value: 'This is a test of your webhook.' }],
    sent_at: at,
    delivered_at: at,
    read_at: null,
    silent: false,
    reply_to: null,
    thread: null,
    metadata: { relay: { test: true } },
    a2a: null,
  };
  const { metadata: _metadata, a2a: _a2a, ...message } = received;
  const participant = { chat_id: chatId, participant: sender };
  return {
    'chat.created': chat,
    'message.received': received,
    'message.sent': message,
    'message.delivered': message,
    'message.read': { ...message, read_at: at },
    'message.failed': {
      chat_id: chatId,
      message_id: message.id,
      code: 3006,
      reason: 'HTTP 401',
      detail_code: 401,
      failed_at: at,
    },
    'participant.added': { ...participant, added_at: at },
    'participant.removed': { ...participant, removed_at: at },
  };
}

function handleOf(id: AgentId, joined_at: Timestamp, is_me: boolean): ChatHandle {
  return {
    id,
    handle: handleSchema.parse('relay_test'),
    status: 'active',
    joined_at,
    left_at: null,
    is_me,
    kind: 'agent',
    display_name: 'Relay',
    image_url: null,
    image_color: null,
    subtitle: null,
    verified: false,
    owner: null,
    is_contact: false,
  };
}
