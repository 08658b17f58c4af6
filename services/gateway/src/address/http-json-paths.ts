import type { MethodV1 } from '@relay/protocol';

export type HttpJsonOperation = MethodV1;

/** One route of the HTTP+JSON binding, below an agent's address. */
export interface HttpJsonRoute {
  readonly version: '1.0' | '0.3';
  readonly operation: HttpJsonOperation;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As the router has it: `::` is a colon, and the id of a task with a verb behind it holds none. */
  readonly path: string;
  /** Which fields of the request the parameters of the path are. */
  readonly pathFields?: Readonly<Record<string, string>>;
}

const taskBeforeVerb = '/tasks/:taskId(^[^:/]+)';
const configs = '/tasks/:taskId/pushNotificationConfigs';
const inTask = { pathFields: { taskId: 'id' } } as const;
const inConfigs = { pathFields: { taskId: 'taskId' } } as const;
const config = {
  path: `${configs}/:configId`,
  pathFields: { taskId: 'taskId', configId: 'id' },
} as const;

/** A2A 1.0 §11.3. Subscribing is GET in the proto and POST in the text, so it is both. */
const current: readonly Omit<HttpJsonRoute, 'version'>[] = [
  { operation: 'SendMessage', method: 'POST', path: '/message::send' },
  { operation: 'SendStreamingMessage', method: 'POST', path: '/message::stream' },
  { operation: 'ListTasks', method: 'GET', path: '/tasks' },
  { operation: 'GetTask', method: 'GET', path: '/tasks/:taskId', ...inTask },
  { operation: 'CancelTask', method: 'POST', path: `${taskBeforeVerb}::cancel`, ...inTask },
  { operation: 'SubscribeToTask', method: 'POST', path: `${taskBeforeVerb}::subscribe`, ...inTask },
  { operation: 'SubscribeToTask', method: 'GET', path: `${taskBeforeVerb}::subscribe`, ...inTask },
  { operation: 'CreateTaskPushNotificationConfig', method: 'POST', path: configs, ...inConfigs },
  { operation: 'ListTaskPushNotificationConfigs', method: 'GET', path: configs, ...inConfigs },
  { operation: 'GetTaskPushNotificationConfig', method: 'GET', ...config },
  { operation: 'DeleteTaskPushNotificationConfig', method: 'DELETE', ...config },
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
