import { describe, expect, it } from 'vitest';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { flushRedis } from '../../support/flush-redis.ts';
import { adminToken } from '../../support/gateway.ts';
import {
  agentMessage,
  atOnce,
  type GatewayClient,
  message,
  type TestAgent,
} from '../../support/gateway-client.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';

const relay = useCluster();

const send = (client: GatewayClient, params: unknown) =>
  client.rpc({ from: relay.planner, to: relay.worker, method: 'SendMessage', params });

async function newTask(): Promise<string> {
  const params = { message: message(), configuration: atOnce };
  return (await send(relay.clients[0], params)).body.result.task.id;
}

async function ask(taskId: string, text: string): Promise<void> {
  const { status } = await relay.clients[1].send('POST', `/v1/tasks/${taskId}/status`, {
    token: relay.worker.token,
    body: { state: 'INPUT_REQUIRED', message: agentMessage(text) },
  });
  expect(status).toBe(200);
}

/** The ids of all tasks that an agent sent, page by page. A page that cannot be had now is asked for again. */
async function listAll(client: GatewayClient, { token }: TestAgent): Promise<string[]> {
  const ids: string[] = [];
  for (let pageToken = ''; ; ) {
    const query = `role=requester&page_size=7${pageToken && `&page_token=${pageToken}`}`;
    const answer = await client.send('GET', `/v1/tasks?${query}`, { token });
    if (answer.status === 503) continue;
    expect(answer.status).toBe(200);
    ids.push(...answer.body.tasks.map(({ id }) => id));
    pageToken = answer.body.next_page_token;
    if (pageToken === '') return ids;
  }
}

describe('sockets of an agent that take different types at two replicas', () => {
  it('agree on what both take, under the same numbers', async () => {
    const [first, second] = relay.clients;
    const all = await openSocket(first, relay.worker);
    const some = await openSocket(second, relay.worker, {
      query: '?subscribed_events=task.message&subscribed_events=task.canceled',
    });
    expect([await all.closed, all.disconnectReason]).toEqual([1012, 'restart']);
    const again = await openSocket(first, relay.worker);
    const taskId = await newTask();
    for (const text of ['one', 'two']) {
      await send(first, { message: message(text, { taskId }), configuration: atOnce });
    }
    expect(await some.untilEvents(2)).toEqual(await again.untilEvents(2));
    expect(some.events.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'task.message'],
      [2, 'task.message'],
    ]);
    await Promise.all([some.close(), again.close()]);
  });
});

describe('a follow-up that is sent again', () => {
  it('does not hang: it waits for its own answer, and has it when that is there', async () => {
    const taskId = await newTask();
    await ask(taskId, 'which one?');
    const params = { message: message('this one', { taskId }) };
    const lost = send(relay.clients[0], params).catch(() => 'lost');
    const historyOf = async () => {
      const { body } = await relay.clients[1].send('GET', `/v1/tasks/${taskId}`, {
        token: relay.planner.token,
      });
      return body.task.history?.length;
    };
    await expect.poll(historyOf).toBe(3);
    const [gateway] = relay.cluster.services.gateway;
    await gateway.kill();
    expect(await lost).toBe('lost');
    const retried = send(relay.clients[1], params);
    await ask(taskId, 'and how many?');
    const { task } = (await retried).body.result;
    expect(task.status.message?.parts).toEqual([{ text: 'and how many?' }]);
    await gateway.restart();
    expect((await send(relay.clients[0], params)).body.result.task).toEqual(task);
  });
});

describe('lists', () => {
  it('are refused for now while Redis stands still, and everything else goes on', async () => {
    relay.cluster.redis.pause();
    const since = performance.now();
    const [list, sent] = await Promise.all([
      relay.clients[0].send('GET', '/v1/tasks?role=requester', { token: relay.planner.token }),
      newTask(),
    ]);
    expect([list.status, list.headers.get('retry-after')]).toEqual([503, '1']);
    expect(performance.now() - since).toBeLessThan(5_000);
    relay.cluster.redis.resume();
    expect(await listAll(relay.clients[1], relay.planner)).toContain(sent);
  });

  it('are whole while Redis is flushed again and again: every task once, at whatever page', async () => {
    const [first, second] = relay.clients;
    const sender = await first.createAgent();
    const params = () => ({ message: message(), configuration: atOnce });
    const request = { from: sender, to: relay.worker, method: 'SendMessage' };
    const sent = Array.from({ length: 60 }, () => first.rpc({ ...request, params: params() }));
    const taskIds = (await Promise.all(sent)).map(({ body }) => body.result.task.id);
    let isDone = false;
    const lists = Promise.all([listAll(first, sender), listAll(second, sender)]).finally(() => {
      isDone = true;
    });
    let flushes = 0;
    for (; !isDone; flushes += 1) await flushRedis(relay.cluster.redis.url);
    for (const list of await lists) expect(list.toSorted()).toEqual(taskIds.toSorted());
    expect(flushes).toBeGreaterThan(1);
  });
});

describe('an upgrade that delivery refuses', () => {
  const upgrade = (token: string, query = '') => {
    const { url } = relay.clients[0];
    return refusedUpgrade(`${url.replace('http', 'ws')}/v1/websocket${query}`, token);
  };

  it('is refused through a gateway in the same words', async () => {
    for (const [token, query, status, code] of [
      ['unknown', '', 401, 2004],
      [adminToken, '', 403, 2003],
      [relay.worker.token, '?unknown=1', 400, 1005],
    ] as const) {
      const { body, ...answer } = await upgrade(token, query);
      expect([answer.status, body]).toMatchObject([status, { error: { status, code } }]);
    }
  });

  it('may be tried again soon where delivery is away', async () => {
    const [delivery] = relay.cluster.services.delivery;
    await delivery.stop();
    const { status, headers, body } = await upgrade(relay.worker.token);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toMatchObject({ success: false, error: { status, code: 3006 } });
    await delivery.restart();
  });
});
