import type { RecordedState, RecordedTask, TaskRecord } from '@relay/bus';
import { isOfPair, isOfTask, type TaskPair } from '@relay/domain';
import { type AgentId, RelayError, type TaskId, taskIdSchema } from '@relay/protocol';

/**
 * An id that is no UUID names no task.
 * @throws RelayError taskNotFound
 */
export function readTaskId(id: string): TaskId {
  const parsed = taskIdSchema.safeParse(id);
  if (!parsed.success) throw new RelayError('taskNotFound');
  return parsed.data;
}

/**
 * A task that the requester sent to that callee. Any other answers like one that does not exist.
 * @throws RelayError taskNotFound
 */
export async function readTaskOfPair(
  record: TaskRecord,
  taskId: TaskId,
  pair: TaskPair,
): Promise<RecordedTask> {
  const recorded = await readStateOfPair(record, taskId, pair);
  if (!isOfTask(recorded)) throw new RelayError('taskNotFound');
  return recorded;
}

/**
 * The same, or a message to that callee which has become no task.
 * @throws RelayError taskNotFound
 */
export async function readStateOfPair(
  record: TaskRecord,
  taskId: TaskId,
  pair: TaskPair,
): Promise<RecordedState> {
  const recorded = await record.readState(taskId);
  if (!recorded || !isOfPair(recorded.snapshot, pair)) throw new RelayError('taskNotFound');
  return recorded;
}

/**
 * A task that the agent is a side of.
 * @throws RelayError taskNotFound
 */
export async function readTaskOfAgent(
  record: TaskRecord,
  taskId: TaskId,
  agentId: AgentId,
): Promise<RecordedTask> {
  const recorded = await record.read(taskId);
  const isParty =
    recorded?.snapshot.requesterId === agentId || recorded?.snapshot.calleeId === agentId;
  if (!recorded || !isParty) throw new RelayError('taskNotFound');
  return recorded;
}
