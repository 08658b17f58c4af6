import { describe, expect, it } from 'vitest';
import { adminToken } from '../../support/gateway.ts';
import { bodiesOf, usePushedTasks } from '../../support/pushed-tasks.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const { relay, rpc, setState, openTask, setConfig, deadLetters } = usePushedTasks();

const authentication = { scheme: 'Bearer', credentials: 'the-credentials' };
const secrets = { token: 'the-token', authentication };

describe('a receiver that fails', () => {
  it('gets the same bytes again, and what comes behind only then', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = ({ revision, attempt }) => (revision === 2 && attempt < 3 ? 503 : 204);
    const taskId = await openTask({ url: receiver.url });
    await setState(taskId, 'WORKING');
    await setState(taskId, 'COMPLETED');
    await receiver.count(4);
    expect(receiver.received.map(({ revision }) => revision)).toEqual([2, 2, 2, 3]);
    expect(new Set(receiver.received.slice(0, 3).map(({ body }) => body)).size).toBe(1);
    expect(receiver.eventIds).toHaveLength(2);
  });

  it.each(['/v1', 'managed'])('is seen at the deliveries and redriven: %s', async (who) => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => ({ status: 503, body: 'you sent the-credentials and the-token' });
    const taskId = await openTask({ id: 'mine', url: receiver.url, ...secrets });
    const completed = await setState(taskId, 'COMPLETED');
    const [path, token] =
      who === '/v1'
        ? ['/v1', relay.planner.token]
        : [`/v1/agents/${relay.planner.handle}`, adminToken];
    const find = async () =>
      (await deadLetters(path, token)).find(
        ({ push_config: config }) => config?.task_id === taskId,
      );
    await expect.poll(find).toMatchObject({
      subscription_id: null,
      push_config: { task_id: taskId, id: 'mine' },
      event_type: 'task.updated',
      status: 'dead_letter',
      attempt_count: 4,
      attempts: Array.from({ length: 4 }, () => ({ error_code: 'http_503' })),
    });
    const dead = await find();
    expect(JSON.stringify(dead)).not.toMatch(/the-credentials|the-token/);
    receiver.answer = () => 204;
    const redriven = await relay.client.send(
      'POST',
      `${path}/webhook-deliveries/${dead?.id}/redrive`,
      { token },
    );
    expect(redriven.status).toBe(200);
    await receiver.count(5);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const trace = new RegExp(`^00-${completed.headers.get('x-request-id')}-[0-9a-f]{16}-01$`);
    for (const { headers } of receiver.received) expect(headers['traceparent']).toMatch(trace);
    await expect.poll(find).toBeUndefined();
  });

  it('is given up at once where it refuses, and is told of the next update', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = ({ revision }) => (revision === 2 ? 410 : 204);
    const taskId = await openTask({ url: receiver.url });
    await setState(taskId, 'WORKING');
    await setState(taskId, 'COMPLETED');
    await receiver.count(2);
    const dead = await deadLetters();
    expect(dead.filter(({ push_config: config }) => config?.task_id === taskId)).toMatchObject([
      { attempt_count: 1, attempts: [{ http_status: 410 }] },
    ]);
  });

  it('is told nothing more once its config is deleted, and its dead letters stay where they are', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 400;
    const taskId = await openTask({ id: 'mine', url: receiver.url });
    await setState(taskId, 'COMPLETED');
    const find = async () =>
      (await deadLetters()).find(({ push_config: config }) => config?.task_id === taskId);
    await expect.poll(find).toBeDefined();
    await rpc('DeleteTaskPushNotificationConfig', { taskId, id: 'mine' });
    const path = `/v1/webhook-deliveries/${(await find())?.id}/redrive`;
    const redriven = await relay.client.send('POST', path, { token: relay.planner.token });
    expect(redriven.status).toBe(409);
    const all = await relay.client.send('POST', '/v1/webhook-deliveries/redrive', {
      token: relay.planner.token,
      body: {},
    });
    expect(all.status).toBe(200);
    expect(await find()).toBeDefined();
    expect(receiver.received).toHaveLength(1);
  });

  it('does not hold up receivers of the same agent elsewhere', async () => {
    const [dead, alive] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    dead.answer = () => null;
    const first = await openTask({ url: dead.url });
    const second = await openTask({ url: alive.url });
    await setState(first, 'WORKING');
    await setState(second, 'COMPLETED');
    await alive.count(1);
    expect(bodiesOf(alive.received)).toMatchObject([{ statusUpdate: { taskId: second } }]);
  });

  it('is sent what waits at its new URL, with its new secrets', async () => {
    const [before, after] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    before.answer = () => 503;
    const taskId = await openTask({ id: 'mine', url: before.url, token: 'old' });
    await setState(taskId, 'WORKING');
    await before.count(1);
    await setConfig(taskId, { id: 'mine', url: after.url, token: 'new' });
    await setState(taskId, 'COMPLETED');
    await after.count(2);
    expect(after.received.map(({ revision }) => revision)).toEqual([2, 3]);
    expect(after.received[0]?.headers['x-a2a-notification-token']).toBe('new');
  });
});
