import { isFinal, type TaskSnapshot, viewTask } from '@relay/domain';
import {
  type StreamEnd,
  type Tell,
  tellUpdates,
  type UpdatesSource,
} from '../streaming/task-updates.ts';

/** Where a stream begins: after a revision that the reader has seen, else with the Task. */
export interface StreamStart {
  readonly snapshot: TaskSnapshot;
  readonly seen?: number | undefined;
  readonly endsAt: StreamEnd;
  readonly historyLength?: number | undefined;
}

export const endsWhenFinal: StreamEnd = ({ task }) => isFinal(task.status.state);

export const endsWhenAskedAfter =
  (messageRevision: number): StreamEnd =>
  (snapshot) =>
    endsWhenFinal(snapshot) ||
    (snapshot.task.status.state === 'TASK_STATE_INPUT_REQUIRED' &&
      snapshot.statusRevision > messageRevision);

/** Tells the Task and its updates; while it waits for the next one it holds nothing of the task. */
export function tellTask(source: UpdatesSource, start: StreamStart, tell: Tell): Promise<void> {
  const { endsAt } = start;
  return tellStart(start, tell).then((revision) =>
    revision === undefined ? undefined : tellUpdates({ revision, endsAt }, source, tell),
  );
}

/** @returns the revision after which there is more to tell, undefined where there is none */
async function tellStart(
  { snapshot, seen, endsAt, historyLength }: StreamStart,
  tell: Tell,
): Promise<number | undefined> {
  const { revision, task } = snapshot;
  const isLast = endsAt(snapshot);
  if (seen === undefined) {
    await tell({ revision, response: { task: viewTask(task, historyLength) }, isLast });
  }
  const told = seen ?? revision;
  return isLast && told === revision ? undefined : told;
}
