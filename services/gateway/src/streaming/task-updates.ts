import type { RecordedTask, TaskRecord } from '@relay/bus';
import { type TaskSnapshot, viewUpdate } from '@relay/domain';
import type { StreamUpdate } from '@relay/protocol';
import type { FollowedTask } from '../waiting/followed-task.ts';

/** One update of a task's stream, and the task's revision at it. */
export interface TaskUpdate extends StreamUpdate {
  readonly revision: number;
}

/** Whether a stream ends with the task as it stands. */
export type StreamEnd = (snapshot: TaskSnapshot) => boolean;

export interface UpdatesStart {
  /** Updates after this revision are told. */
  readonly revision: number;
  readonly endsAt: StreamEnd;
}

/**
 * Every update after a revision, in order, until the stream ends or the signal comes. What was not heard is
 * read from the record; where that does not reach back so far, the Task takes its place.
 */
export async function* updatesAfter(
  { revision, endsAt }: UpdatesStart,
  task: FollowedTask,
  record: TaskRecord,
  signal: AbortSignal,
): AsyncGenerator<TaskUpdate, void> {
  for (let seen = revision; ; ) {
    const latest = await task.taskNewerThan(seen, signal);
    if (!latest) return;
    for (const update of await updatesUpTo(latest, { revision: seen, endsAt }, record)) {
      yield update;
      if (update.isLast) return;
    }
    seen = latest.snapshot.revision;
  }
}

/** Only what is told is kept: a slow reader must not hold a whole task for each change. */
async function updatesUpTo(
  latest: RecordedTask,
  { revision: seen, endsAt }: UpdatesStart,
  record: TaskRecord,
): Promise<readonly TaskUpdate[]> {
  const missed = await record.changesBetween(seen, latest);
  if (missed) return [...missed, latest].flatMap((recorded) => updateOf(recorded, endsAt));
  const { revision, task } = latest.snapshot;
  return [{ revision, response: { task }, isLast: endsAt(latest.snapshot) }];
}

function updateOf({ change, snapshot }: RecordedTask, endsAt: StreamEnd): TaskUpdate[] {
  const response = viewUpdate(change, snapshot);
  if (!response) return [];
  const { revision, task } = snapshot;
  const update = { revision, response, isLast: endsAt(snapshot) };
  if (!('artifactUpdate' in response)) return [update];
  const { artifactId } = response.artifactUpdate.artifact;
  const artifactIndex = task.artifacts?.findIndex((artifact) => artifact.artifactId === artifactId);
  return [{ ...update, ...(artifactIndex === undefined ? {} : { artifactIndex }) }];
}
