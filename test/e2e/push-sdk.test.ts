import { randomUUID } from 'node:crypto';
import { TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from 'a2a-js-sdk-v0.3/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectA2aClient, messageRequest, taskOf } from '../support/a2a-client.ts';
import { TestRelay } from '../support/relay.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

let relay: TestRelay;

beforeAll(async () => {
  relay = await TestRelay.start({ RELAY_ALLOW_PRIVATE_TARGETS: 'true' });
});

afterAll(() => relay?.stop());

const credentials = 'the-credentials';

function connectOlder(token: string, binding: string): Promise<Client> {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ Authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
    ],
    preferredTransports: [binding],
  });
  return new ClientFactory(options).createFromUrl(`${relay.url}/translator/`);
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)(
  'push notification configs of an unmodified @a2a-js/sdk client over %s',
  (binding) => {
    it('are made on a task that waits, and told of what comes of it', async () => {
      const receiver = await WebhookReceiver.start();
      const { agents } = await relay.credentials();
      const client = await connectA2aClient(`${relay.url}/translator/`, agents.planner, {
        binding,
      });
      const asked = taskOf(await client.sendMessage(messageRequest('Translate "good morning"')));
      const target = { tenant: '', taskId: asked.id, id: 'mine' };
      const config = {
        ...target,
        url: receiver.url,
        token: 'the-token',
        authentication: { scheme: 'Bearer', credentials },
      };
      const shown = {
        ...target,
        url: receiver.url,
        token: '',
        authentication: { scheme: 'Bearer', credentials: '' },
      };
      expect(await client.createTaskPushNotificationConfig(config)).toEqual(shown);
      expect(await client.getTaskPushNotificationConfig(target)).toEqual(shown);
      const list = { tenant: '', taskId: asked.id, pageSize: 0, pageToken: '' };
      expect((await client.listTaskPushNotificationConfig(list)).configs).toEqual([shown]);
      const done = taskOf(
        await client.sendMessage(messageRequest('Spanish', { taskId: asked.id })),
      );
      expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      await receiver.until((received) => received.some(({ body }) => body.includes('COMPLETED')));
      for (const { headers } of receiver.received) {
        expect(headers).toMatchObject({
          authorization: `Bearer ${credentials}`,
          'x-a2a-notification-token': 'the-token',
        });
      }
      await client.deleteTaskPushNotificationConfig(target);
      expect((await client.listTaskPushNotificationConfig(list)).configs).toEqual([]);
    });
  },
);

describe.each(['JSONRPC', 'HTTP+JSON'])(
  'push notification configs of an unmodified @a2a-js/sdk client of A2A 0.3 over %s',
  (binding) => {
    it('come with a message or are made later, and are told the Task', async () => {
      const [inline, later] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
      const { agents } = await relay.credentials();
      const client = await connectOlder(agents.planner, binding);
      const send = async (text: string, fields: object = {}) => {
        const parts = [{ kind: 'text' as const, text }];
        const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts } as const;
        const task = await client.sendMessage({
          message: { ...message, ...fields },
          configuration: {
            blocking: true,
            pushNotificationConfig: { id: 'inline', url: inline.url, token: 'the-token' },
          },
        });
        if (task.kind !== 'task') throw new Error('the answer is a Message');
        return task;
      };
      const { id } = await send('Translate "good morning"');
      const pushNotificationConfig = {
        id: 'later',
        url: later.url,
        authentication: { schemes: ['Bearer'], credentials },
      };
      const set = await client.setTaskPushNotificationConfig({
        taskId: id,
        pushNotificationConfig,
      });
      expect(set).toMatchObject({
        taskId: id,
        pushNotificationConfig: { id: 'later', url: later.url },
      });
      const named = { id, pushNotificationConfigId: 'later' };
      expect(await client.getTaskPushNotificationConfig(named)).toEqual(set);
      const list = await client.listTaskPushNotificationConfig({ id });
      expect(list.map((config) => config.pushNotificationConfig.id)).toEqual(['inline', 'later']);
      await send('Spanish', { taskId: id });
      for (const receiver of [inline, later]) {
        await receiver.until((received) =>
          received.some(({ body }) => body.includes('"completed"')),
        );
        expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
          kind: 'task',
          id,
          status: { state: 'completed' },
        });
      }
      expect(inline.received[0]?.headers['x-a2a-notification-token']).toBe('the-token');
      expect(later.received[0]?.headers['authorization']).toBe(`Bearer ${credentials}`);
      await client.deleteTaskPushNotificationConfig(named);
      expect(await client.listTaskPushNotificationConfig({ id })).toHaveLength(1);
    });
  },
);
