import type { ClientFrame, EventEnvelope, EventType, ServerFrame } from '@relay/protocol';
import { eventEnvelopeSchema } from '@relay/protocol';
import { exampleChatData } from './chat-examples.ts';

/** Frames and events as they stand in the references. */

const taskId = '5f1d7a52-9d1f-4c1e-8f53-0a3c5d2b7e11';
const contextId = 'b7a4f6a0-2f6e-4d57-9c2c-6c1a7b2f9a33';
const plannerId = '01939e2c-8f4a-7c31-9b60-3f2d8a1c5e01';
const translatorId = '01939e2c-9a10-7d22-8c44-7be1f0d93a02';

const conciergeId = '01939e2c-9b21-7e33-8d55-8cf2a1e4b303';

const request = {
  messageId: 'order-7',
  contextId,
  taskId,
  role: 'ROLE_USER',
  parts: [{ text: 'good morning' }],
};

const requester = {
  id: plannerId,
  handle: 'planner',
  display_name: 'Planner',
  kind: 'agent',
  name: 'Planner',
  subtitle: null,
  description: null,
  category: null,
  skills: [],
  visibility: 'unlisted',
  image_url: null,
  image_color: null,
  verified: false,
  creator: null,
  owner: null,
};

const task = {
  id: taskId,
  contextId,
  status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-11-30T09:30:00.000Z' },
  history: [request],
  metadata: { relay: { requester } },
};

const finishedTask = {
  ...task,
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-11-30T09:30:02.000Z' },
  artifacts: [{ artifactId: 'translation', parts: [{ text: 'bonjour' }] }],
};

export const exampleEvents: Readonly<Record<EventType, EventEnvelope>> = {
  'task.created': event(1, translatorId, 'task.created', { task }),
  'task.message': event(2, translatorId, 'task.message', {
    task_id: taskId,
    message: { ...request, messageId: 'order-8', parts: [{ text: 'in French' }] },
  }),
  'task.canceled': event(3, translatorId, 'task.canceled', { task_id: taskId }),
  'task.updated': event(4, plannerId, 'task.updated', { task: finishedTask }),
  'chat.created': chatEvent(5, conciergeId, 'chat.created'),
  'message.received': chatEvent(6, conciergeId, 'message.received'),
  'message.sent': chatEvent(7, plannerId, 'message.sent'),
  'message.delivered': chatEvent(8, plannerId, 'message.delivered'),
  'message.read': chatEvent(9, plannerId, 'message.read'),
  'message.failed': chatEvent(9, plannerId, 'message.failed'),
  'participant.added': chatEvent(9, conciergeId, 'participant.added'),
  'participant.removed': chatEvent(9, conciergeId, 'participant.removed'),
};

function chatEvent(second: number, agentId: string, type: keyof typeof exampleChatData) {
  return event(second, agentId, type, exampleChatData[type]);
}

function event(second: number, agent_id: string, event_type: EventType, data: unknown) {
  return eventEnvelopeSchema.parse({
    api_version: 'v1',
    webhook_version: '2026-08-30',
    event_type,
    event_id: `8d0c3a7e-1b2f-4f6d-9a55-4c7e2d1f0b0${second}`,
    created_at: `2026-11-30T09:30:0${second}.000Z`,
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    agent_id,
    data,
  });
}

export const exampleServerFrames: readonly ServerFrame[] = [
  {
    type: 'ready',
    connection_id: '01939e2d-0b7c-7a53-9e21-5d8f3c6b4a90',
    acked_through: '41',
    full_sync_required: false,
    full_sync_through: null,
    heartbeat_interval_ms: 30_000,
    max_in_flight: 64,
  },
  { type: 'event', sequence: '42', event: { ...exampleEvents['task.canceled'] } },
  { type: 'full_sync', through_sequence: '97', reason: 'checkpoint_outside_retention' },
  { type: 'pong' },
  {
    type: 'error',
    code: 'ack_out_of_range',
    message: 'The sequence was not sent on this connection.',
    fatal: false,
    retryable: false,
  },
  { type: 'disconnect', reason: 'restart' },
];

export const exampleClientFrames: readonly ClientFrame[] = [
  { type: 'ack', through_sequence: '42' },
  { type: 'full_sync_complete', through_sequence: '97' },
  { type: 'ping' },
];
