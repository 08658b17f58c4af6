import {
  type DecodedCall,
  type NamedTaskCall,
  RelayError,
  type TaskId,
  taskIdSchema,
} from '@relay/protocol';
import { isOfPair } from '../tasks/task-reads.ts';
import { type AddressRequest, pairOf } from './address-call.ts';

/**
 * The call with the ids of its task, which 0.1 lets the client name. A name is the caller's own, for one
 * agent, and the id is derived from it, so it needs no record. A name that is the id of a task that the
 * caller sent before, over whatever version, means that one.
 * @param unnamed the same call as 0.3 has it, where the method is in both: meant where the id is no name
 * @throws RelayError taskNotFound
 */
export async function withTaskIds(
  request: AddressRequest,
  named: NamedTaskCall,
  unnamed: DecodedCall | undefined,
): Promise<DecodedCall> {
  const { taskName } = named;
  const parsed = taskIdSchema.safeParse(taskName);
  const sentBefore =
    parsed.success && (await isThere(request, parsed.data)) ? parsed.data : undefined;
  if (sentBefore && unnamed) return unnamed;
  const taskId = sentBefore ?? request.context.commands.idOfNamedTask(pairOf(request), taskName);
  const isSend = 'request' in named.call && 'message' in named.call.request;
  if (!isSend && !sentBefore && !(await isThere(request, taskId))) {
    throw new RelayError('taskNotFound');
  }
  return { encoder: named.encoder, call: withTaskId(named.call, taskId, sentBefore !== undefined) };
}

function withTaskId(
  call: DecodedCall['call'],
  taskId: TaskId,
  isSentBefore: boolean,
): DecodedCall['call'] {
  switch (call.operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message } = call.request;
      const request = isSentBefore
        ? { ...call.request, message: { ...message, taskId } }
        : { ...call.request, newTaskId: taskId };
      return { ...call, request };
    }
    case 'GetTask':
      return { ...call, request: { ...call.request, id: taskId } };
    case 'CancelTask':
      return { ...call, request: { ...call.request, id: taskId } };
    case 'SubscribeToTask':
      return { ...call, request: { ...call.request, id: taskId } };
    case 'CreateTaskPushNotificationConfig':
      return { ...call, request: { ...call.request, taskId } };
    case 'GetTaskPushNotificationConfig':
      return { ...call, request: { ...call.request, taskId } };
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
    case 'ListTasks':
    case 'GetExtendedAgentCard':
      return call;
  }
}

async function isThere(request: AddressRequest, taskId: TaskId): Promise<boolean> {
  const recorded = await request.context.record.read(taskId);
  return recorded !== undefined && isOfPair(recorded.snapshot, pairOf(request));
}
