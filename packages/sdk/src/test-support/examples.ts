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
