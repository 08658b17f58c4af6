import { type ExchangeSnapshot, isExchange, viewTask } from '@relay/domain';
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageResponse,
  Task,
} from '@relay/protocol';
import { commandFields } from '../tasks/task-commands.ts';
import { readTaskPage } from '../tasks/task-lists.ts';
import { readStateOfPair, readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
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

/** GetTask by a name: what stands under it is answered as a message that is sent again is, but at once. */
export async function getNamedTask(
  call: AddressCall,
  { id, historyLength }: GetTaskRequest,
): Promise<SendMessageResponse> {
  const taskId = readTaskId(id);
  call.request.record.taskId = taskId;
  const { snapshot } = await readStateOfPair(call.context.record, taskId, pairOf(call));
  if (!isExchange(snapshot)) return { task: viewTask(snapshot.task, historyLength) };
  if (snapshot.reply) return { message: snapshot.reply };
  return { task: viewTask(asTask(snapshot), historyLength) };
}

/** A message that its callee has not answered in the chat yet. */
function asTask({ taskId: id, chatId, message, offeredAt: timestamp }: ExchangeSnapshot): Task {
  const status = { state: 'TASK_STATE_SUBMITTED', timestamp } as const;
  return { id, contextId: chatId, status, history: [message] };
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
      state: status === 'TASK_STATE_UNSPECIFIED' ? undefined : status,
      contextId: contextId || undefined,
      statusAfter: statusTimestampAfter ? Date.parse(statusTimestampAfter) : undefined,
      pageSize,
      pageToken: pageToken || undefined,
      ...pairOf(call),
    },
    request,
  );
  return { pageSize, ...page };
}

/** CancelTask. */
export async function cancelTask(call: AddressCall, { id }: CancelTaskRequest): Promise<Task> {
  const taskId = readTaskId(id);
  const { record } = call.request;
  record.taskId = taskId;
  const { snapshot } = await call.context.commands.execute({
    type: 'cancel',
    ...commandFields(taskId, record.traceId),
    ...pairOf(call),
  });
  return snapshot.task;
}
