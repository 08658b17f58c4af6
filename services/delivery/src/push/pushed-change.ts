import { deriveEventId, type RecordedTaskChange, type TaskSnapshot } from '@relay/domain';
import type { AgentId, PushEvent, TaskId, TraceId } from '@relay/protocol';
import { inForce, type PushConfigEntry, type PushConfigRecord } from './push-config-record.ts';

/** A change of a task of which its requester may have receivers told. */
export interface PushedChange {
  readonly taskId: TaskId;
  readonly agentId: AgentId;
  readonly traceId: TraceId;
  /** Of the event by which the requester itself hears of it. */
  readonly eventId: string;
  readonly event: PushEvent;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly task: Pick<TaskSnapshot, 'requesterMessages' | 'revision'>;
}

/** The change, if it is one that its requester hears of as `task.updated`; else undefined. */
export function pushedChangeOf(
  change: RecordedTaskChange,
  { task, requesterId, requesterMessages, revision }: TaskSnapshot,
): PushedChange | undefined {
  if (change.type === 'submitted' || change.type === 'message-added') return undefined;
  return {
    taskId: task.id,
    agentId: requesterId,
    traceId: change.traceId,
    eventId: deriveEventId(change.id, requesterId, 'task.updated'),
    event: change.type === 'artifact-added' ? 'artifact' : task.status.state,
    at: Date.parse(change.at),
    task: { requesterMessages, revision },
  };
}

/** The configs that are told of a change. */
export function configsToTell(
  record: PushConfigRecord,
  { task, event }: Pick<PushedChange, 'task' | 'event'>,
): readonly PushConfigEntry[] {
  return inForce(record, task).filter(
    ({ start, events }) =>
      (!('afterRevision' in start) || task.revision > start.afterRevision) &&
      (events.length === 0 || events.includes(event)),
  );
}
