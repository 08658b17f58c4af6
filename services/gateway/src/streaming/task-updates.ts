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

/** Resolves when the reader has room for more, or when the signal says that nobody waits for that. */
export type Tell = (update: TaskUpdate) => Promise<void>;

export interface UpdatesSource {
  readonly task: FollowedTask;
  readonly record: TaskRecord;
  readonly signal: AbortSignal;
}

/**
 * Tells every update after a revision, in order, until the stream ends or the signal comes. What was not
 * heard is read from the record; where that does not reach back so far, the Task takes its place.
 */
export async function tellUpdates(
  { revision, endsAt }: UpdatesStart,
  source: UpdatesSource,
  tell: Tell,
): Promise<void> {
  // Each step is a call of its own: nothing of a task is held while the next change is waited for.
  for (let seen: number | undefined = revision; seen !== undefined; ) {
    seen = await tellNext({ revision: seen, endsAt }, source, tell);
  }
}

/** @returns the revision that was told, undefined at the end */
async function tellNext(
  start: UpdatesStart,
  { task, record, signal }: UpdatesSource,
  tell: Tell,
): Promise<number | undefined> {
  const latest = await task.taskNewerThan(start.revision, signal);
  if (!latest) return undefined;
  for (const update of await updatesUpTo(latest, start, record)) {
    await tell(update);
    if (update.isLast || signal.aborted) return undefined;
  }
  return latest.snapshot.revision;
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
