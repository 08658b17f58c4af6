import type { EventEnvelope } from '@relay/protocol';
import { eventHeader } from './event-header.ts';
import type { RecordedTaskChange, TaskSnapshot } from './task.ts';
import { messageOf } from './task-view.ts';

/** The events by which a change becomes known to the two agents of the task (seed, "Receive task events"). */
export function eventsOf(
  change: RecordedTaskChange,
  snapshot: TaskSnapshot,
): readonly EventEnvelope[] {
  const { task, calleeId, requesterId } = snapshot;
  const updated = () => ({ ...eventHeader(change, requesterId, 'task.updated'), data: { task } });
  switch (change.type) {
    case 'submitted':
      return [{ ...eventHeader(change, calleeId, 'task.created'), data: { task } }];
    case 'message-added': {
      const message = messageOf(snapshot, change.messageId);
      if (!message) return [];
      const data = { task_id: task.id, message };
      return [{ ...eventHeader(change, calleeId, 'task.message'), data }];
    }
    case 'status-changed':
    case 'artifact-added':
    case 'replied':
    case 'opened':
      return [updated()];
    case 'canceled': {
      const canceled = eventHeader(change, calleeId, 'task.canceled');
      return [{ ...canceled, data: { task_id: task.id } }, updated()];
    }
  }
}
