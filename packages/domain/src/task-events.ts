import type { AgentId, EventEnvelope, EventType } from '@relay/protocol';
import { deriveEventId } from './derived-ids.ts';
import type { RecordedTaskChange, TaskSnapshot } from './task.ts';
import { messageOf } from './task-view.ts';

/** The events by which a change becomes known to the two agents of the task (seed, "Receive task events"). */
export function eventsOf(
  change: RecordedTaskChange,
  snapshot: TaskSnapshot,
): readonly EventEnvelope[] {
  const { task, calleeId, requesterId } = snapshot;
  const updated = () => ({ ...header(change, requesterId, 'task.updated'), data: { task } });
  switch (change.type) {
    case 'submitted':
      return [{ ...header(change, calleeId, 'task.created'), data: { task } }];
    case 'message-added': {
      const message = messageOf(snapshot, change.messageId);
      if (!message) return [];
      const data = { task_id: task.id, message };
      return [{ ...header(change, calleeId, 'task.message'), data }];
    }
    case 'status-changed':
    case 'artifact-added':
    case 'replied':
    case 'opened':
      return [updated()];
    case 'canceled': {
      const canceled = header(change, calleeId, 'task.canceled');
      return [{ ...canceled, data: { task_id: task.id } }, updated()];
    }
  }
}

function header<Type extends EventType>(
  change: RecordedTaskChange,
  recipientId: AgentId,
  type: Type,
) {
  return {
    api_version: 'v1',
    webhook_version: '2026-08-30',
    event_type: type,
    event_id: deriveEventId(change.id, recipientId, type),
    created_at: change.at,
    trace_id: change.traceId,
    agent_id: recipientId,
  } as const;
}
