import type { RecordedTask, TaskRecord } from '@relay/bus';
import { isFinal, viewUpdate } from '@relay/domain';
import type { StreamResponse } from '@relay/protocol';
import type { FollowedTask } from '../waiting/followed-task.ts';

/** One event of a task's stream, and the task's revision at it. */
export interface TaskUpdate {
  readonly revision: number;
  readonly response: StreamResponse;
}

/**
 * Every update after a revision, in order, until the task is final or the signal comes. What was not heard
 * is read from the record; where that does not reach back so far, the Task takes its place.
 */
export async function* updatesAfter(
  revision: number,
  task: FollowedTask,
  record: TaskRecord,
  signal: AbortSignal,
): AsyncGenerator<TaskUpdate, void> {
  for (let seen = revision; ; ) {
    const latest = await task.newerThan(seen, signal);
    if (!latest) return;
    yield* await updatesUpTo(latest, seen, record);
    if (isFinal(latest.snapshot.task.status.state)) return;
    seen = latest.snapshot.revision;
  }
}

/** Only what is told is kept: a slow reader must not hold a whole task for each change. */
async function updatesUpTo(
  latest: RecordedTask,
  seen: number,
  record: TaskRecord,
): Promise<readonly TaskUpdate[]> {
  const missed = await record.changesBetween(seen, latest);
  if (missed) return [...missed, latest].flatMap(updateOf);
  const { revision, task } = latest.snapshot;
  return [{ revision, response: { task } }];
}

function updateOf({ change, snapshot }: RecordedTask): TaskUpdate[] {
  const response = viewUpdate(change, snapshot);
  return response ? [{ revision: snapshot.revision, response }] : [];
}
