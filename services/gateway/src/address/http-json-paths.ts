import type { MethodV1 } from '@relay/protocol';

export type HttpJsonOperation = MethodV1;

/** One route of the HTTP+JSON binding, below an agent's address. */
export interface HttpJsonRoute {
  readonly version: '1.0' | '0.3';
  readonly operation: HttpJsonOperation;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As the router has it: `::` is a colon, and the id of a task with a verb behind it holds none. */
  readonly path: string;
  /** The parameter that the task's id of the path is. */
  readonly idField?: 'id';
}

const taskBeforeVerb = '/tasks/:taskId(^[^:/]+)';
const configs = '/tasks/:taskId/pushNotificationConfigs';
const inTask = { idField: 'id' } as const;

/** A2A 1.0 §11.3. Subscribing is GET in the proto and POST in the text, so it is both. */
const current: readonly Omit<HttpJsonRoute, 'version'>[] = [
  { operation: 'SendMessage', method: 'POST', path: '/message::send' },
  { operation: 'SendStreamingMessage', method: 'POST', path: '/message::stream' },
  { operation: 'ListTasks', method: 'GET', path: '/tasks' },
  { operation: 'GetTask', method: 'GET', path: '/tasks/:taskId', ...inTask },
  { operation: 'CancelTask', method: 'POST', path: `${taskBeforeVerb}::cancel`, ...inTask },
  { operation: 'SubscribeToTask', method: 'POST', path: `${taskBeforeVerb}::subscribe`, ...inTask },
  { operation: 'SubscribeToTask', method: 'GET', path: `${taskBeforeVerb}::subscribe`, ...inTask },
  { operation: 'CreateTaskPushNotificationConfig', method: 'POST', path: configs },
  { operation: 'ListTaskPushNotificationConfigs', method: 'GET', path: configs },
  { operation: 'GetTaskPushNotificationConfig', method: 'GET', path: `${configs}/:configId` },
  { operation: 'DeleteTaskPushNotificationConfig', method: 'DELETE', path: `${configs}/:configId` },
  { operation: 'GetExtendedAgentCard', method: 'GET', path: '/extendedAgentCard' },
];

/** 0.3 has no lists of tasks here, and another path for the card. */
const older = current
  .filter(({ operation }) => operation !== 'ListTasks')
  .map((route) => ({
    ...route,
    path: route.operation === 'GetExtendedAgentCard' ? '/v1/card' : `/v1${route.path}`,
  }));

export const httpJsonRoutes: readonly HttpJsonRoute[] = [
  ...current.map((route) => ({ ...route, version: '1.0' as const })),
  ...older.map((route) => ({ ...route, version: '0.3' as const })),
];
