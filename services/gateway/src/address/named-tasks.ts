import { isOfPair } from '@relay/domain';
import {
  type DecodedCall,
  type MessageRequest,
  type NamedTaskCall,
  RelayError,
  type TaskId,
  taskIdSchema,
} from '@relay/protocol';
import { type AddressRequest, pairOf } from './address-call.ts';
import { isPushCall, type PushCall } from './push-operations.ts';

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
  if (needsTask(named.call) && !sentBefore && !(await isThere(request, taskId))) {
    throw new RelayError('taskNotFound');
  }
  return { encoder: named.encoder, call: withTaskId(named.call, taskId, sentBefore !== undefined) };
}

type Call = DecodedCall['call'];
function needsTask({ operation }: Call): boolean {
  return !['SendMessage', 'SendStreamingMessage', 'GetNamedTask'].includes(operation);
}

type SendCall = Extract<Call, { operation: 'SendMessage' | 'SendStreamingMessage' }>;

function withTaskId(call: Call, taskId: TaskId, isSentBefore: boolean): Call {
  if (isPushCall(call)) return configOn(call, taskId);
  switch (call.operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return { ...call, request: messageOn(call, taskId, isSentBefore) };
    case 'GetTask':
    case 'GetNamedTask':
      return { ...call, request: { ...call.request, id: taskId } };
    case 'CancelTask':
      return { ...call, request: { ...call.request, id: taskId } };
    case 'SubscribeToTask':
      return { ...call, request: { ...call.request, id: taskId } };
    case 'ListTasks':
    case 'GetExtendedAgentCard':
      return call;
  }
}

function configOn(call: PushCall, taskId: TaskId): PushCall {
  switch (call.operation) {
    case 'CreateTaskPushNotificationConfig':
      return { ...call, request: { ...call.request, taskId } };
    case 'GetTaskPushNotificationConfig':
      return { ...call, request: { ...call.request, taskId } };
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
      return call;
  }
}

function messageOn({ request }: SendCall, taskId: TaskId, isSentBefore: boolean): MessageRequest {
  return isSentBefore
    ? { ...request, message: { ...request.message, taskId } }
    : { ...request, newTaskId: taskId };
}

async function isThere(request: AddressRequest, taskId: TaskId): Promise<boolean> {
  const recorded = await request.context.record.read(taskId);
  return recorded !== undefined && isOfPair(recorded.snapshot, pairOf(request));
}
