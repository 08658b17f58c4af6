import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AgentSocket } from '../../support/agent-socket.ts';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { adminToken } from '../../support/gateway.ts';
import {
  type Answer,
  type GatewayClient,
  message,
  type TestAgent,
  type TestStream,
} from '../../support/gateway-client.ts';

const relay = useCluster();

/** What an agent has open at one gateway, and at the delivery behind it. */
interface Open {
  readonly call: Promise<Answer>;
  readonly stream: TestStream;
  readonly socket: AgentSocket;
}

const unauthenticated = { data: [{ metadata: { code: '2004' } }] };

async function openAt(client: GatewayClient, from: TestAgent): Promise<Open> {
  const contextId = randomUUID();
  const request = { from, to: relay.worker };
  const sent = { message: message('hello', { contextId }) };
  const call = client.rpc({ ...request, method: 'SendMessage', params: sent });
  const begun = async () => {
    const list = await client.rpc({ ...request, method: 'ListTasks', params: { contextId } });
    return list.body.result.totalSize;
  };
  await expect.poll(begun).toBe(1);
  const params = { message: message() };
  const stream = await client.stream({ ...request, method: 'SendStreamingMessage', params });
  await stream.next();
  return { call, stream, socket: await openSocket(client, from) };
}

const openEverywhere = (agent: TestAgent) =>
  Promise.all(relay.clients.map((client) => openAt(client, agent)));

/** All of it ends within a second, as a revoked token ends it. */
async function expectRevoked(open: readonly Open[]): Promise<void> {
  const since = performance.now();
  for (const { call, stream, socket } of open) {
    const { status, body } = await call;
    expect([status, body.error]).toMatchObject([401, unauthenticated]);
    expect((await stream.rest()).at(-1)?.data.error).toMatchObject(unauthenticated);
    expect([await socket.closed, socket.disconnectReason]).toEqual([4401, 'revoked']);
  }
  expect(performance.now() - since).toBeLessThan(1_000);
}

async function revokeFirstToken({ handle }: TestAgent, client = relay.clients[0]): Promise<number> {
  const path = `/v1/agents/${handle}/tokens`;
  const { status, body } = await client.send('GET', path, { token: adminToken });
  if (status !== 200) return status;
  const [first] = body.tokens;
  return (await client.send('DELETE', `${path}/${first?.id}`, { token: adminToken })).status;
}

async function addToken(agent: TestAgent): Promise<TestAgent> {
  const path = `/v1/agents/${agent.handle}/tokens`;
  const { body } = await relay.clients[0].send('POST', path, { token: adminToken, body: {} });
  return { ...agent, token: body.token };
}

describe('what is open with a token at any replica ends within a second', () => {
  it('when the token is revoked, and nothing else ends', async () => {
    const agent = await relay.clients[0].createAgent();
    const open = await openEverywhere(agent);
    const other = await openAt(relay.clients[1], await addToken(agent));
    expect(await revokeFirstToken(agent)).toBe(204);
    await expectRevoked(open);
    for (const client of relay.clients) {
      const me = async () => (await client.send('GET', '/v1/me', { token: agent.token })).status;
      await expect.poll(me, { timeout: 1_000 }).toBe(401);
    }
    await other.socket.ping();
    await other.socket.close();
    other.stream.disconnect();
  });

  it('when its agent is deleted', async () => {
    const agent = await relay.clients[0].createAgent();
    const open = [
      ...(await openEverywhere(agent)),
      ...(await openEverywhere(await addToken(agent))),
    ];
    const path = `/v1/agents/${agent.handle}`;
    const deleted = await relay.clients[1].send('DELETE', path, { token: adminToken });
    expect(deleted.status).toBe(204);
    await expectRevoked(open);
  });

  it('also after NATS was killed in between', async () => {
    const agent = await relay.clients[0].createAgent();
    const open = await openEverywhere(agent);
    await relay.cluster.nats.kill();
    await relay.cluster.nats.restart();
    await expect.poll(() => revokeFirstToken(agent), { interval: 10 }).toBe(204);
    await expectRevoked(open);
  });

  it('also at replicas that stood still meanwhile, once they go on', async () => {
    const agent = await relay.clients[0].createAgent();
    const open = await openEverywhere(agent);
    const { gateway, delivery } = relay.cluster.services;
    const stopped = [gateway[1], delivery[1]];
    for (const service of stopped) service.pause();
    expect(await revokeFirstToken(agent)).toBe(204);
    for (const service of stopped) service.resume();
    await expectRevoked(open);
  });

  it('also what is being opened at that very moment', async () => {
    const agent = await relay.clients[0].createAgent();
    const request = { from: agent, to: relay.worker, method: 'SendMessage' };
    const endings = Array.from({ length: 20 }, (_, n) => {
      const client = relay.clients[n % 2 === 0 ? 0 : 1];
      const call = client.rpc({ ...request, params: { message: message() } });
      const socket = openSocket(client, agent).then(
        ({ ready, closed }) => ready && closed,
        (error: Error) => error.message,
      );
      return [call.then(({ status }) => status), socket] as const;
    });
    expect(await revokeFirstToken(agent)).toBe(204);
    const since = performance.now();
    for (const [call, socket] of endings) {
      expect(await call).toBe(401);
      expect([4401, 'closed with 4401', 'refused with 401']).toContain(await socket);
    }
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});
