import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Client } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, agentMessage, atOnce, message } from '../../support/gateway-client.ts';
import { type GatewayFixture, useGateway } from '../../support/gateway-fixture.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';

const send = ({ client, planner: from, worker: to }: GatewayFixture, configuration?: object) =>
  client.rpc({ from, to, method: 'SendMessage', params: { message: message(), configuration } });

const newStream = ({ client, planner: from, worker: to }: GatewayFixture) =>
  client.stream({ from, to, method: 'SendStreamingMessage', params: { message: message() } });

const complete = ({ client, worker: { token } }: GatewayFixture, taskId: string | undefined) =>
  client.send('POST', `/v1/tasks/${taskId}/status`, {
    token,
    body: { state: 'COMPLETED', message: agentMessage('done') },
  });

/** One call of each form in which Relay tells of errors, and what a refusal is in it. */
const forms = {
  'JSON-RPC': [(relay) => send(relay, atOnce), { jsonrpc: '2.0', error: { code: -32603 } }],
  'HTTP+JSON': [
    ({ client, planner: { token }, worker: { handle } }) =>
      client.send('POST', `/${handle}/message:send`, { token, body: { message: message() } }),
    { error: { code: 503, status: 'UNAVAILABLE' } },
  ],
  REST: [
    ({ client, planner: { token } }) => client.send('GET', '/v1/me', { token }),
    { success: false, error: { code: 3006, status: 503 } },
  ],
} as const satisfies Record<string, [(relay: GatewayFixture) => Promise<Answer>, object]>;

function requireRefusal({ status, headers, body }: Answer, refusal: object) {
  expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', refusal]);
}

describe('a gateway that works on as many requests as it may', () => {
  const limit = 2;
  const relay = useGateway({ config: { requestLimit: limit } });
  afterEach(() => relay.nats.resume());

  it('refuses more at once in the form of each caller, answers probes, and goes on after it', async () => {
    relay.nats.pause();
    const calls = Array.from({ length: limit + 1 }, () => send(relay, atOnce));
    requireRefusal(await Promise.race(calls), forms['JSON-RPC'][1]);
    for (const [call, refusal] of Object.values(forms)) requireRefusal(await call(relay), refusal);
    for (const probe of ['/healthz', '/readyz', '/metrics']) {
      expect((await relay.client.send('GET', probe)).status).toBe(200);
    }
    relay.nats.resume();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
    expect((await send(relay, atOnce)).status).toBe(200);
  });

  it('works on while any number of calls wait', async () => {
    const { client, planner: from, worker: to } = relay;
    const streams = [await newStream(relay), await newStream(relay), await newStream(relay)];
    for (const stream of streams) await stream.next();
    const contextId = randomUUID();
    const params = { message: message('wait', { contextId }) };
    const waiting = client.rpc({ from, to, method: 'SendMessage', params });
    const list = () => client.rpc({ from, to, method: 'ListTasks', params: { contextId } });
    await expect.poll(async () => (await list()).body.result.totalSize).toBe(1);
    const [task] = (await list()).body.result.tasks;
    expect((await complete(relay, task?.id)).status).toBe(200);
    expect((await waiting).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    for (const stream of streams) stream.disconnect();
  });
});

describe('a gateway in which as many calls wait as may', () => {
  const relay = useGateway({ config: { waitLimit: 1 } });

  it('refuses more calls that wait and streams, and answers those that do not', async () => {
    const stream = await newStream(relay);
    const id = (await stream.next())?.data.result?.task?.id;
    requireRefusal(await send(relay), forms['JSON-RPC'][1]);
    await expect(newStream(relay)).rejects.toThrow('-32603');
    expect((await send(relay, atOnce)).status).toBe(200);
    await complete(relay, id);
    await stream.rest();
    const next = await newStream(relay);
    expect(await next.next()).toBeDefined();
    next.disconnect();
  });
});

describe('a gateway with as many connections as it may have', () => {
  const limit = 12;
  const relay = useGateway({ config: { connectionLimit: limit } });
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Over a connection of its own. */
  async function request(path: string) {
    const connection = new Client(relay.gateway.url);
    const headers = { authorization: `Bearer ${relay.planner.token}` };
    const answer = await connection.request({ method: 'GET', path, headers });
    const body = await answer.body.json();
    await connection.close();
    return { ...answer, body };
  }

  it('refuses what comes on others until there is room again', async () => {
    const { hostname, port } = new URL(relay.gateway.url);
    for (let n = 0; n < limit; n += 1) sockets.push(connect(Number(port), hostname));
    await expect.poll(async () => (await request('/v1/me')).statusCode).toBe(503);
    const refused = await request('/v1/me');
    expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    expect(refused.body).toMatchObject(forms.REST[1]);
    expect((await request('/healthz')).statusCode).toBe(200);
    const url = `${relay.gateway.url.replace('http', 'ws')}/v1/websocket`;
    const upgrade = await refusedUpgrade(url, relay.worker.token);
    expect([upgrade.status, upgrade.headers['retry-after']]).toEqual([503, '1']);
    expect(upgrade.body).toMatchObject(forms.REST[1]);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(async () => (await request('/v1/me')).statusCode).toBe(200);
  });
});
