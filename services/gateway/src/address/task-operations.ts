import { viewTask } from '@relay/domain';
import {
  cancelTaskRequestSchema,
  getTaskRequestSchema,
  type ListTasksResponse,
  listTasksRequestSchema,
  type Task,
  validate,
} from '@relay/protocol';
import { commandFields } from '../tasks/task-commands.ts';
import { readTaskPage } from '../tasks/task-lists.ts';
import { readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
import { type AddressCall, pairOf } from './address-call.ts';

/** GetTask. */
export async function getTask(call: AddressCall, params: unknown): Promise<Task> {
  const { id, historyLength } = validate(getTaskRequestSchema, params);
  const taskId = readTaskId(id);
  call.request.record.taskId = taskId;
  const { snapshot } = await readTaskOfPair(call.context.record, taskId, pairOf(call));
  return viewTask(snapshot.task, historyLength);
}

/** ListTasks: latest status first. Params may be absent: every one of them is optional. */
export async function listTasks(call: AddressCall, params: unknown): Promise<ListTasksResponse> {
  const request = validate(listTasksRequestSchema, params ?? {});
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
export async function cancelTask(call: AddressCall, params: unknown): Promise<Task> {
  const { id } = validate(cancelTaskRequestSchema, params);
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
