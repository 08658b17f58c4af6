import { describe, expect, it } from 'vitest';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { adminToken } from '../../support/gateway.ts';
import { agentMessage, atOnce, type GatewayClient, message } from '../../support/gateway-client.ts';
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
