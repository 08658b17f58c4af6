import type { TaskRecord } from '@relay/bus';
import { type TaskSnapshot, viewListedTask } from '@relay/domain';
import type { Task } from '@relay/protocol';
import type { TaskList, TaskListQuery } from '../lists/indexed-task-lists.ts';

/** A page ends early rather than grow past this. */
const maximumPageBytes = 8 * 1024 * 1024;
const readsAtOnce = 10;

/** The way to the index of tasks. */
export interface TaskLists {
  /** @throws RelayError invalidParams for a bad page token, unavailable while the index cannot be had */
  list(query: TaskListQuery): Promise<TaskList>;
}

export interface ListedFields {
  readonly historyLength?: number | undefined;
  readonly includeArtifacts?: boolean | undefined;
}

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly nextPageToken: string;
  readonly totalSize: number;
}

/** One page of tasks: ids from the index, bodies from the record. */
export async function readTaskPage(
  lists: TaskLists,
  record: TaskRecord,
  query: TaskListQuery,
  fields: ListedFields,
): Promise<TaskPage> {
  const list = await lists.list(query);
  const { taskIds, totalSize } = list;
  const tasks: Task[] = [];
  let bytes = 0;
  for (let from = 0; from < taskIds.length; from += readsAtOnce) {
    const ids = taskIds.slice(from, from + readsAtOnce);
    const batch = await Promise.all(ids.map((taskId) => record.read(taskId)));
    for (const [offset, recorded] of batch.entries()) {
      if (!recorded || !matches(recorded.snapshot, query)) continue;
      const task = viewListedTask(recorded.snapshot.task, fields);
      bytes += Buffer.byteLength(JSON.stringify(task));
      if (bytes > maximumPageBytes && tasks.length > 0) {
        return { tasks, nextPageToken: list.tokenAfter(from + offset - 1), totalSize };
      }
      tasks.push(task);
    }
  }
  return { tasks, nextPageToken: list.nextPageToken, totalSize };
}

/** The record may have gone on since the index was asked. */
function matches(snapshot: TaskSnapshot, query: TaskListQuery): boolean {
  const { requesterId, calleeId, state } = query;
  return (
    (requesterId === undefined || snapshot.requesterId === requesterId) &&
    (calleeId === undefined || snapshot.calleeId === calleeId) &&
    (state === undefined || snapshot.task.status.state === state)
  );
}
