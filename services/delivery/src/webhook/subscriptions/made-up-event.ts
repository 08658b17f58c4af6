import {
  type AgentId,
  agentIdSchema,
  type ContactCard,
  type EventData,
  type EventEnvelope,
  type EventType,
  eventEnvelopeSchema,
  handleSchema,
  type Message,
  type Task,
  type Timestamp,
  taskIdSchema,
} from '@relay/protocol';
import { chatDataAt } from './made-up-chat.ts';

/** No task and no agent ever has it. */
const nobody = '00000000-0000-0000-0000-000000000000';
const taskId = taskIdSchema.parse(nobody);

const requester: ContactCard = {
  id: agentIdSchema.parse(nobody),
  handle: handleSchema.parse('relay_test'),
  display_name: 'Relay',
  kind: 'agent',
  name: 'Relay',
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

type TaskEventType = Extract<EventType, `task.${string}`>;

interface Occasion {
  readonly eventId: string;
  /** 32 hex digits. */
  readonly traceId: string;
  readonly agentId: AgentId;
  readonly at: Timestamp;
}

/**
 * An event of a task or chat that never was, to try an endpoint with. By its shape it is one like any
 * other; its task or chat has the nil UUID, and `metadata.relay.test` where there is metadata.
 */
export function makeUpEvent(
  type: EventType,
  { eventId, traceId, agentId, at }: Occasion,
): EventEnvelope {
  const header = {
    api_version: 'v1',
    webhook_version: '2026-08-30',
    event_id: eventId,
    created_at: at,
    trace_id: traceId,
    agent_id: agentId,
  } as const;
  const data = { ...taskDataAt(at), ...chatDataAt(at, nobody, agentId) };
  return eventEnvelopeSchema.parse({ ...header, event_type: type, data: data[type] });
}

function taskDataAt(at: Timestamp): Pick<EventData, TaskEventType> {
  const relay = { test: true };
  const message: Message = {
    messageId: nobody,
    taskId,
    contextId: nobody,
    role: 'ROLE_USER',
    parts: [{ text: 'This is a test of your webhook.' }],
    metadata: { relay },
  };
  const task: Task = {
    id: taskId,
    contextId: nobody,
    status: { state: 'TASK_STATE_SUBMITTED', timestamp: at },
    history: [message],
    metadata: { relay: { requester, ...relay } },
  };
  return {
    'task.created': { task },
    'task.updated': { task },
    'task.message': { task_id: taskId, message },
    'task.canceled': { task_id: taskId },
  };
}
