import type { Answer, GatewayClient, TestAgent } from './gateway-client.ts';

/** A config as 1.0 names its fields. */
export interface PushConfig {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

export interface PushAnswer {
  readonly status: number;
  /** JSON-RPC's; over HTTP+JSON the reason, or what stands for it. */
  readonly error: unknown;
  readonly result: unknown;
}

/** How one version and binding manages push notification configs, told in the words of 1.0. */
export interface PushDialect {
  readonly name: string;
  readonly set: (taskId: string, config: PushConfig) => Promise<PushAnswer>;
  readonly get: (taskId: string, id: string) => Promise<PushAnswer>;
  readonly list: (taskId: string) => Promise<PushAnswer>;
  readonly remove: (taskId: string, id: string) => Promise<PushAnswer>;
  /** What a config looks like that is shown. */
  readonly shown: (taskId: string, config: PushConfig) => unknown;
  readonly listed: (configs: readonly unknown[]) => unknown;
  readonly removed: unknown;
}

interface Parties {
  readonly client: GatewayClient;
  readonly from: Pick<TestAgent, 'token'>;
  readonly to: Pick<TestAgent, 'handle'>;
}

/** What is written in an answer, as it is JSON. */
interface Written {
  readonly result?: unknown;
  readonly code?: number;
  readonly error?: { readonly code?: number; readonly details?: readonly { reason: string }[] };
}

const older = ({ authentication, ...config }: PushConfig) => ({
  ...config,
  ...(authentication
    ? {
        authentication: {
          schemes: [authentication.scheme],
          credentials: authentication.credentials,
        },
      }
    : {}),
});

const withoutSecrets = ({ id, url, authentication }: PushConfig): PushConfig => ({
  ...(id === undefined ? {} : { id }),
  url,
  ...(authentication ? { authentication: { scheme: authentication.scheme } } : {}),
});

const olderShown = (config: PushConfig) => {
  const { authentication, ...shown } = withoutSecrets(config);
  return {
    ...shown,
    ...(authentication ? { authentication: { schemes: [authentication.scheme] } } : {}),
  };
};

/** Every dialect that has all four operations. */
export function pushDialects(parties: () => Parties): readonly PushDialect[] {
  const rpc = async (method: string, params: unknown): Promise<PushAnswer> => {
    const { client, from, to } = parties();
    return ofRpc(await client.rpc({ from, to, method, params }));
  };
  const http =
    (below: '' | '/v1') =>
    async (method: string, path: string, body?: unknown): Promise<PushAnswer> => {
      const { client, from, to } = parties();
      const options = { token: from.token, ...(body === undefined ? {} : { body }) };
      return ofHttp(await client.send(method, `/${to.handle}${below}/tasks/${path}`, options));
    };
  const [current, previous] = [http(''), http('/v1')];
  return [
    {
      name: 'JSON-RPC 1.0',
      set: (taskId, config) => rpc('CreateTaskPushNotificationConfig', { taskId, ...config }),
      get: (taskId, id) => rpc('GetTaskPushNotificationConfig', { taskId, id }),
      list: (taskId) => rpc('ListTaskPushNotificationConfigs', { taskId }),
      remove: (taskId, id) => rpc('DeleteTaskPushNotificationConfig', { taskId, id }),
      shown: (taskId, config) => ({ taskId, ...withoutSecrets(config) }),
      listed: (configs) => ({ configs, nextPageToken: '' }),
      removed: {},
    },
    {
      name: 'HTTP+JSON 1.0',
      set: (taskId, config) => current('POST', `${taskId}/pushNotificationConfigs`, config),
      get: (taskId, id) => current('GET', `${taskId}/pushNotificationConfigs/${id}`),
      list: (taskId) => current('GET', `${taskId}/pushNotificationConfigs`),
      remove: (taskId, id) => current('DELETE', `${taskId}/pushNotificationConfigs/${id}`),
      shown: (taskId, config) => ({ taskId, ...withoutSecrets(config) }),
      listed: (configs) => ({ configs, nextPageToken: '' }),
      removed: {},
    },
    {
      name: 'JSON-RPC 0.3',
      set: (taskId, config) =>
        rpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: older(config) }),
      get: (id, pushNotificationConfigId) =>
        rpc('tasks/pushNotificationConfig/get', { id, pushNotificationConfigId }),
      list: (id) => rpc('tasks/pushNotificationConfig/list', { id }),
      remove: (id, pushNotificationConfigId) =>
        rpc('tasks/pushNotificationConfig/delete', { id, pushNotificationConfigId }),
      shown: (taskId, config) => ({ taskId, pushNotificationConfig: olderShown(config) }),
      listed: (configs) => configs,
      removed: null,
    },
    {
      name: 'HTTP+JSON 0.3',
      set: (taskId, config) =>
        previous('POST', `${taskId}/pushNotificationConfigs`, {
          pushNotificationConfig: older(config),
        }),
      get: (taskId, id) => previous('GET', `${taskId}/pushNotificationConfigs/${id}`),
      list: (taskId) => previous('GET', `${taskId}/pushNotificationConfigs`),
      remove: (taskId, id) => previous('DELETE', `${taskId}/pushNotificationConfigs/${id}`),
      shown: (taskId, config) => ({
        name: `tasks/${taskId}/pushNotificationConfigs/${config.id}`,
        pushNotificationConfig: olderShown(config),
      }),
      listed: (configs) => ({ configs, nextPageToken: '' }),
      removed: {},
    },
  ];
}

/** What an answer tells, over whatever binding. */
export const ofRpc = ({ status, text }: Answer): PushAnswer => {
  const written: Written = JSON.parse(text);
  return { status, error: written.error?.code, result: written.result };
};

const ofHttp = ({ status, text }: Answer): PushAnswer => {
  const written: Written = JSON.parse(text);
  if (status < 400) return { status, error: undefined, result: written };
  return {
    status,
    error: written.code ?? codes[written.error?.details?.[0]?.reason ?? ''],
    result: undefined,
  };
};

/** Codes of JSON-RPC by the reasons that stand for them over HTTP+JSON. */
const codes: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: -32001,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  INVALID_PARAMS: -32602,
  TARGET_REFUSED: -32602,
  CONFLICT: -32602,
};
