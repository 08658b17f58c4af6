import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentMessage } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 5, streamSeconds: 10 } });

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const call = (method: string, path: string, options: CallOptions = {}) =>
  relay.client.send(method, `/${relay.worker.handle}/v1${path}`, {
    token: relay.planner.token,
    ...options,
  });
const stream = (method: string, path: string, options: CallOptions = {}) =>
  relay.client.streamFrom(method, `/${relay.worker.handle}/v1${path}`, {
    token: relay.planner.token,
    ...options,
  });
const setState = (taskId: string, state: string) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/status`, {
    token: relay.worker.token,
    body: { state, message: agentMessage(state) },
  });

const message = (fields: object = {}) => ({
  messageId: randomUUID(),
  role: 'ROLE_USER',
  content: [{ text: 'hello' }],
  ...fields,
});
const atOnce = { blocking: false };

async function openTask(): Promise<string> {
  const body = { message: message(), configuration: atOnce };
  return (await call('POST', '/message:send', { body })).body.task.id;
}

describe('A2A 0.3 over HTTP+JSON', () => {
  it('answers a message with the JSON of its proto', async () => {
    const content = [
      { text: 'hello' },
      { file: { fileWithBytes: 'eA==', name: 'x.txt', mimeType: 'text/plain' } },
      { file: { fileWithUri: 'https://x.example/x', mimeType: 'application/json' } },
      { data: { data: { a: 1 } } },
    ];
    const sent = message({ content, contextId: 'mine' });
    const answer = await call('POST', '/message:send', {
      body: { message: sent, configuration: atOnce },
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    const { id } = answer.body.task;
    expect(answer.body).toEqual({
      task: {
        id,
        contextId: 'mine',
        status: { state: 'TASK_STATE_SUBMITTED', timestamp: expect.any(String) },
        history: [{ ...sent, taskId: id }],
        metadata: { relay: expect.anything() },
      },
    });
    const found = await call('GET', `/tasks/${id}`);
    expect(found.body).toEqual(answer.body.task);
  });

  it('spells a canceled task with two l, and takes a cancel without a body', async () => {
    const id = await openTask();
    const canceled = await call('POST', `/tasks/${id}:cancel`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(canceled.body).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELLED' } });
  });

  it('streams until the agent asks, and subscribes past that', async () => {
    const events = await stream('POST', '/message:stream', { body: { request: message() } });
    const id = (await events.next())?.data.task?.id ?? '';
    const subscribed = await stream('GET', `/tasks/${id}:subscribe`);
    const posted = await stream('POST', `/tasks/${id}:subscribe`);
    await setState(id, 'INPUT_REQUIRED');
    expect(await events.rest()).toMatchObject([
      { id: '2', data: { statusUpdate: { taskId: id, final: true } } },
    ]);
    await setState(id, 'COMPLETED');
    for (const subscription of [subscribed, posted]) {
      expect(await subscription.rest()).toMatchObject([
        { data: { task: { id } } },
        { data: { statusUpdate: { final: false } } },
        {
          data: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' }, final: true } },
        },
      ]);
    }
  });

  it.each([
    ['GET', `/tasks/${randomUUID()}`, 404, -32001],
    ['POST', '/message:send', 400, -32602],
    ['POST', '/tasks/x/pushNotificationConfigs', 400, -32602],
    ['GET', '/tasks/x/pushNotificationConfigs/y', 404, -32001],
    ['GET', '/card', 400, -32007],
  ])('answers %s %s with %i and the bare error %i', async (method, path, status, code) => {
    const answer = await call(method, path);
    expect([answer.status, answer.body]).toEqual([
      status,
      { code, message: expect.any(String), data: expect.any(Array) },
    ]);
  });

  it('is not there for a request for 1.0', async () => {
    const headers = { 'a2a-version': '1.0' };
    const answer = await call('GET', `/tasks/${await openTask()}`, { headers });
    expect([answer.status, answer.body]).toMatchObject([404, { code: -32601 }]);
  });
});
