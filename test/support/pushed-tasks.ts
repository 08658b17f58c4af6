import { randomUUID } from 'node:crypto';
import type { WebhookDelivery } from '@relay/protocol';
import { type Answer, agentMessage, atOnce, message } from './gateway-client.ts';
import { type GatewayFixture, useGateway } from './gateway-fixture.ts';
import type { PushConfig } from './push-dialects.ts';
import type { ReceivedWebhook } from './webhook-receiver.ts';

export interface PushedTasks {
  readonly relay: GatewayFixture;
  /** By the planner, at the worker's address unless another one is named. */
  readonly rpc: (
    method: string,
    params: unknown,
    to?: { readonly handle: string },
  ) => Promise<Answer>;
  /** By the worker, unless another one's token is given. */
  readonly act: (taskId: string, action: string, body: unknown, token?: string) => Promise<Answer>;
  readonly setState: (taskId: string, state: string) => Promise<Answer>;
  readonly addArtifact: (taskId: string) => Promise<Answer>;
  /** A new task of the planner's, with a config that comes with its message. */
  readonly openTask: (config?: PushConfig) => Promise<string>;
  readonly setConfig: (taskId: string, config: PushConfig) => Promise<Answer>;
  /** Of the planner. */
  readonly deadLetters: (path?: string, token?: string) => Promise<readonly WebhookDelivery[]>;
}

/** A relay of which the planner has the updates of its tasks pushed. Read it inside tests. */
export function usePushedTasks(): PushedTasks {
  const relay = useGateway({
    config: { sendWaitSeconds: 5, webhookRetrySeconds: [0.05, 0.1, 0.1] },
  });
  const rpc: PushedTasks['rpc'] = (method, params, to = relay.worker) =>
    relay.client.rpc({ from: relay.planner, to, method, params });
  const act: PushedTasks['act'] = (taskId, action, body, token = relay.worker.token) =>
    relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token, body });
  return {
    relay,
    rpc,
    act,
    setState: (taskId, state) => act(taskId, 'status', { state, message: agentMessage(state) }),
    addArtifact: (taskId) =>
      act(taskId, 'artifacts', { artifact: { artifactId: randomUUID(), parts: [{ text: 'x' }] } }),
    openTask: async (config) => {
      const push = config ? { taskPushNotificationConfig: config } : {};
      const configuration = { ...atOnce, ...push };
      const { body } = await rpc('SendMessage', { message: message(), configuration });
      return body.result.task.id;
    },
    setConfig: (taskId, config) => rpc('CreateTaskPushNotificationConfig', { taskId, ...config }),
    deadLetters: async (path = '/v1', token = relay.planner.token) => {
      const list = `${path}/webhook-deliveries?status=dead_letter`;
      return (await relay.client.send('GET', list, { token })).body.deliveries;
    },
  };
}

/** What came, as JSON. */
export function bodiesOf(received: readonly ReceivedWebhook[]): unknown[] {
  return received.map(({ body }): unknown => JSON.parse(body));
}
