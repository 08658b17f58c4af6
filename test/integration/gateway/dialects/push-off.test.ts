import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { atOnce, message } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';
import { ofRpc, pushDialects } from '../../../support/push-dialects.ts';

const relay = useGateway({ config: { a2aPush: false } });

const dialects = pushDialects(() => ({
  client: relay.client,
  from: relay.planner,
  to: relay.worker,
}));
const url = 'https://receiver.example/hook';

const rpc = async (method: string, params?: unknown) =>
  ofRpc(await relay.client.rpc({ from: relay.planner, to: relay.worker, method, params }));

describe('without push notifications', () => {
  it('cards say so', async () => {
    for (const path of ['agent-card.json', '.well-known/agent.json']) {
      const { text } = await relay.client.send('GET', `/${relay.worker.handle}/${path}`);
      expect(JSON.parse(text)).toMatchObject({ capabilities: { pushNotifications: false } });
    }
  });

  it.each(dialects)('nothing of them is there over $name', async ({ set, get, list, remove }) => {
    const { body } = await relay.client.rpc({
      from: relay.planner,
      to: relay.worker,
      method: 'SendMessage',
      params: { message: message(), configuration: atOnce },
    });
    for (const id of [body.result.task.id, randomUUID()]) {
      const answers = [
        await set(id, { id: 'mine', url }),
        await set(id, { url: '' }),
        await get(id, 'mine'),
        await list(id),
        await remove(id, 'mine'),
      ];
      expect(new Set(answers.map(({ error }) => error))).toEqual(new Set([-32003]));
    }
  });

  it.each([
    'CreateTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'tasks/pushNotificationConfig/set',
    'tasks/pushNotificationConfig/get',
    'tasks/pushNotification/set',
    'tasks/pushNotification/get',
  ])('%s is refused whatever its parameters are', async (method) => {
    for (const params of [undefined, {}, { id: 'x' }, []]) {
      expect((await rpc(method, params)).error).toBe(-32003);
    }
  });

  it.each([
    ['SendMessage', { message: message(), configuration: { taskPushNotificationConfig: { url } } }],
    [
      'message/send',
      {
        message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] },
        configuration: { pushNotificationConfig: { url } },
      },
    ],
    [
      'tasks/send',
      {
        id: 'x',
        message: { role: 'user', parts: [{ type: 'text', text: 'x' }] },
        pushNotification: { url },
      },
    ],
  ])('%s with a config is refused', async (method, params) => {
    expect((await rpc(method, params)).error).toBe(-32003);
  });
});
