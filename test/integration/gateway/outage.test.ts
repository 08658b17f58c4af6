import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const rpc = (method: string, params: unknown) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params });
const complete = (taskId: string) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/status`, {
    token: relay.worker.token,
    body: { state: 'COMPLETED', message: agentMessage('done') },
  });
const readiness = async () => (await relay.client.send('GET', '/readyz')).status;

describe('while NATS is away', () => {
  it('everything is refused at once with 503, and waits and streams go on afterwards', async () => {
    const sent = message();
    const waiting = rpc('SendMessage', { message: sent });
    const again = await rpc('SendMessage', { message: sent, configuration: atOnce });
    const taskId = again.body.result.task.id;
    const events = await relay.client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'SubscribeToTask',
      params: { id: taskId },
    });
    expect((await events.next())?.id).toBe('1');

    await relay.nats.kill();
    await expect.poll(readiness).toBe(503);
    const since = performance.now();
    for (const method of ['SendMessage', 'SendStreamingMessage', 'GetTask', 'ListTasks']) {
      const refused = await rpc(method, { message: message(), id: taskId });
      expect([method, refused.status, refused.body.error.code]).toEqual([method, 503, -32603]);
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    // What was read from the registry is believed for half a second.
    const me = () => relay.client.send('GET', '/v1/me', { token: relay.planner.token });
    await expect.poll(async () => (await me()).status).toBe(503);
    expect((await me()).body.error.code).toBe(3006);
    expect((await me()).headers.get('retry-after')).toBe('1');
    await expect
      .poll(async () => (await relay.client.send('GET', `/${relay.worker.handle}`)).status)
      .toBe(503);
    expect((await relay.client.send('GET', '/healthz')).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(2_000);

    await relay.nats.restart();
    await expect.poll(readiness).toBe(200);
    await expect.poll(async () => (await complete(taskId)).status).toBe(200);
    expect((await waiting).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect((await events.rest()).map(({ id }) => id)).toEqual(['2']);
  });

  it('a server that hangs does not make requests hang', async () => {
    relay.nats.pause();
    const since = performance.now();
    const answers = await Promise.all([
      rpc('SendMessage', { message: message() }),
      rpc('SendMessage', { message: message(), configuration: atOnce }),
      relay.client.send('GET', '/v1/me', { token: relay.planner.token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(performance.now() - since).toBeLessThan(15_000);
    relay.nats.resume();
    await expect
      .poll(
        async () =>
          (await rpc('SendMessage', { message: message(), configuration: atOnce })).status,
      )
      .toBe(200);
  });
});

describe('while Redis is away', () => {
  it('only lists are refused, and readiness says so', async () => {
    await relay.redis.kill();
    await expect
      .poll(async () => (await relay.client.send('GET', '/readyz')).body)
      .toEqual({ status: 'degraded' });
    const list = await rpc('ListTasks', {});
    expect([list.status, list.body.error.code]).toEqual([503, -32603]);
    const rest = await relay.client.send('GET', '/v1/tasks', { token: relay.planner.token });
    expect([rest.status, rest.body.error.code]).toEqual([503, 3006]);
    const sent = await rpc('SendMessage', { message: message(), configuration: atOnce });
    expect(sent.status).toBe(200);
    await relay.redis.restart();
    await expect.poll(async () => (await rpc('ListTasks', {})).status).toBe(200);
  });
});
