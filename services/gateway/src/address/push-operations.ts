import {
  type DeletePushConfigRequest,
  type GetPushConfigRequest,
  type ListPushConfigsRequest,
  type OperationCall,
  type PushConfig,
  type PushConfigPage,
  RelayError,
} from '@relay/protocol';
import type { FastifyReply } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
import { commandFields } from '../webhooks/delivery-commands.ts';
import { type AddressCall, pairOf } from './address-call.ts';
import { answer } from './answer.ts';

export type PushCall = Extract<
  OperationCall,
  {
    operation:
      | 'CreateTaskPushNotificationConfig'
      | 'GetTaskPushNotificationConfig'
      | 'ListTaskPushNotificationConfigs'
      | 'DeleteTaskPushNotificationConfig';
  }
>;
type CreateRequest = Extract<
  PushCall,
  { operation: 'CreateTaskPushNotificationConfig' }
>['request'];

const pushOperation = /pushNotification/i;

/**
 * Before its parameters are looked at: where there are no push notifications, there are none of any form.
 * @param name of a method or operation, in whatever version
 * @throws RelayError pushNotSupported
 */
export function refusePushWhereOff({ config }: GatewayContext, name: string): void {
  if (!config.a2aPush && pushOperation.test(name)) throw new RelayError('pushNotSupported');
}

/** Whether a call is about push notification configs. */
export function isPushCall(asked: OperationCall): asked is PushCall {
  return pushOperation.test(asked.operation);
}

/** Does what was asked for of the push notification configs of a task, and answers. */
export function performPushCall(call: AddressCall, asked: PushCall): Promise<FastifyReply> {
  const { encoder } = call;
  switch (asked.operation) {
    case 'CreateTaskPushNotificationConfig':
      return answer(call, createPushConfig(call, asked.request), encoder.pushConfig);
    case 'GetTaskPushNotificationConfig':
      return answer(call, getPushConfig(call, asked.request), encoder.pushConfig);
    case 'ListTaskPushNotificationConfigs':
      return answer(call, listPushConfigs(call, asked.request), encoder.pushConfigs);
    case 'DeleteTaskPushNotificationConfig':
      return answer(call, deletePushConfig(call, asked.request), () => encoder.pushConfigDeleted);
  }
}

/** On a task that is open, or final. */
async function createPushConfig(
  call: AddressCall,
  { taskId, config }: CreateRequest,
): Promise<PushConfig> {
  const { revision, ...fields } = await fieldsOf(call, taskId);
  return call.context.deliveryCommands.execute<'set-push-config'>({
    type: 'set-push-config',
    config,
    form: call.encoder.pushForm,
    start: { afterRevision: revision },
    ...fields,
  });
}

async function getPushConfig(
  call: AddressCall,
  { taskId, id: configId }: GetPushConfigRequest,
): Promise<PushConfig> {
  const { revision: _revision, ...fields } = await fieldsOf(call, taskId);
  const command = { type: 'get-push-config', configId, ...fields } as const;
  return call.context.deliveryCommands.execute<'get-push-config'>(command);
}

async function listPushConfigs(
  call: AddressCall,
  { taskId, pageSize = 0, pageToken }: ListPushConfigsRequest,
): Promise<PushConfigPage> {
  const { revision: _revision, ...fields } = await fieldsOf(call, taskId);
  return call.context.deliveryCommands.execute<'list-push-configs'>({
    type: 'list-push-configs',
    pageSize,
    pageToken: pageToken || undefined,
    ...fields,
  });
}

async function deletePushConfig(
  call: AddressCall,
  { taskId, id: configId }: DeletePushConfigRequest,
): Promise<void> {
  const { revision: _revision, ...fields } = await fieldsOf(call, taskId);
  const command = { type: 'delete-push-config', configId, ...fields } as const;
  await call.context.deliveryCommands.execute<'delete-push-config'>(command);
}

/** @throws RelayError taskNotFound where the caller sent no such task to the agent */
async function fieldsOf(call: AddressCall, id: string) {
  const taskId = readTaskId(id);
  call.request.record.taskId = taskId;
  const { snapshot } = await readTaskOfPair(call.context.record, taskId, pairOf(call));
  return { taskId, revision: snapshot.revision, ...commandFields(call.caller.agent.id) };
}
