import { randomUUID } from 'node:crypto';
import {
  type Message,
  type Task,
  type TaskState,
  taskIdSchema,
  timestampAt,
} from '@relay/protocol';

export function exampleMessage(text: string, role: Message['role'] = 'ROLE_USER'): Message {
  return { messageId: randomUUID(), role, parts: [{ text }] };
}

export function exampleTask(state: TaskState, message = exampleMessage('Translate it')): Task {
  const id = taskIdSchema.parse(randomUUID());
  return {
    id,
    contextId: 'context',
    status: { state, timestamp: timestampAt(0) },
    history: [message],
    metadata: { relay: { requester: { id: randomUUID(), handle: 'planner' } } },
  };
}

/** What a message in a chat tells of itself. */
export function exampleReceived(value: string, fields: Record<string, unknown> = {}) {
  const handle = (name: string, is_me: boolean) => ({
    id: randomUUID(),
    handle: name,
    status: 'active',
    joined_at: timestampAt(0),
    left_at: null,
    is_me,
    kind: 'agent',
    display_name: name,
    image_url: null,
    image_color: null,
    subtitle: null,
    verified: false,
    owner: null,
    is_contact: false,
  });
  const chat_id = randomUUID();
  const sender = handle('planner', false);
  return {
    chat_id,
    chat: { id: chat_id, is_group: false, owner_handle: handle('concierge', true) },
    id: randomUUID(),
    idempotency_key: null,
    direction: 'inbound',
    from: 'planner',
    from_handle: sender,
    sender_handle: sender,
    is_from_me: false,
    parts: [{ type: 'text', value }],
    sent_at: timestampAt(0),
    delivered_at: timestampAt(0),
    read_at: null,
    silent: false,
    reply_to: null,
    thread: null,
    metadata: null,
    a2a: null,
    ...fields,
  };
}

/** An event as Relay puts it on the wire. */
export function exampleEvent(event_type: string, data: Record<string, unknown>) {
  return {
    api_version: 'v1',
    webhook_version: '2026-08-30',
    event_type,
    event_id: randomUUID(),
    created_at: timestampAt(0),
    trace_id: '0123456789abcdef0123456789abcdef',
    agent_id: randomUUID(),
    data,
  };
}
