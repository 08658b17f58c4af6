import { randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { expect, it } from 'vitest';
import { atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const callOf = (params: unknown) => ({ jsonrpc: '2.0', id: 7, method: 'SendMessage', params });
const headers = () => ({
  'content-type': 'application/json',
  authorization: `Bearer ${relay.planner.token}`,
});

/** One connection, on which a request waits for the answer to the one before. */
function connect() {
  const connection = new Client(relay.gateway.url);
  const request = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await connection.request({
      method,
      path,
      headers: headers(),
      body: JSON.stringify(body) ?? null,
    });
    return { ...answer, body: await answer.body.json() };
  };
  return {
    send: (params: unknown) => request('POST', `/${relay.worker.handle}`, callOf(params)),
    get: (path: string) => request('GET', path),
  };
}

it('a drain answers waiting calls with the task as it stands, ends streams and takes nothing new', async () => {
  const { client, gateway, planner: from, worker: to } = relay;
  const contextId = randomUUID();
  const connections = [connect(), connect(), connect()] as const;
  const waiting = connections.map(({ send }) => send({ message: message('wait', { contextId }) }));
  const begun = async () => {
    const list = await client.rpc({ from, to, method: 'ListTasks', params: { contextId } });
    return list.body.result.totalSize;
  };
  await expect.poll(begun).toBe(connections.length);
  const behind = Promise.all([
    connections[0].send({ message: message(), configuration: atOnce }),
    connections[1].get('/readyz'),
    connections[2].get('/healthz'),
  ]);
  const params = { message: message() };
  const events = await client.stream({ from, to, method: 'SendStreamingMessage', params });
  await events.next();
  expect(gateway.isReady()).toBe(true);

  const drained = gateway.drain();
  expect(gateway.isReady()).toBe(false);
  await expect(client.send('GET', '/readyz')).rejects.toThrow('fetch failed');
  const asItStands = { task: { status: { state: 'TASK_STATE_SUBMITTED' } } };
  for (const { statusCode, body } of await Promise.all(waiting)) {
    expect([statusCode, body]).toMatchObject([200, { result: asItStands }]);
  }
  expect(await events.rest()).toEqual([]);
  const [refused, ready, healthy] = await behind;
  expect([refused.statusCode, refused.body]).toMatchObject([503, { error: { code: -32603 } }]);
  expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
  expect([ready.statusCode, ready.body]).toEqual([503, { status: 'unavailable' }]);
  expect(healthy.statusCode).toBe(200);
  await drained;
});
