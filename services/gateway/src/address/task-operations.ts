import { viewTask } from '@relay/domain';
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Task,
} from '@relay/protocol';
import { commandFields } from '../tasks/task-commands.ts';
import { readTaskPage } from '../tasks/task-lists.ts';
import { readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
import { type AddressCall, pairOf } from './address-call.ts';

/** GetTask. */
export async function getTask(
  call: AddressCall,
  { id, historyLength }: GetTaskRequest,
): Promise<Task> {
  const taskId = readTaskId(id);
  call.request.record.taskId = taskId;
  const { snapshot } = await readTaskOfPair(call.context.record, taskId, pairOf(call));
  return viewTask(snapshot.task, historyLength);
}

/** ListTasks: latest status first. */
export async function listTasks(
  call: AddressCall,
  request: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { contextId, status, pageSize, pageToken, statusTimestampAfter } = request;
  const { record, taskLists } = call.context;
  const page = await readTaskPage(
    taskLists,
    record,
    {
      ...pairOf(call),
      state: status === 'TASK_STATE_UNSPECIFIED' ? undefined : status,
      contextId: contextId || undefined,
      statusAfter: statusTimestampAfter ? Date.parse(statusTimestampAfter) : undefined,
      pageSize,
      pageToken: pageToken || undefined,
    },
    request,
  );
  return { ...page, pageSize };
}

/** CancelTask. */
export async function cancelTask(call: AddressCall, { id }: CancelTaskRequest): Promise<Task> {
  const taskId = readTaskId(id);
  const { record } = call.request;
  record.taskId = taskId;
  const { snapshot } = await call.context.commands.execute({
    ...commandFields(taskId, record.traceId),
    ...pairOf(call),
    type: 'cancel',
  });
  return snapshot.task;
}
