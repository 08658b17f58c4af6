import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import {
  registerAgent,
  startTestDelivery,
  type TestAgent,
  type TestDelivery,
} from '../../support/delivery.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';
import { startNats, type TestServer } from '../../support/servers.ts';

let nats: TestServer;
let delivery: TestDelivery;
let worker: TestAgent;

beforeAll(async () => {
  nats = await startNats();
  delivery = await startTestDelivery(nats.url);
});

afterAll(async () => {
  await delivery?.close();
  await nats?.stop();
});

describe('an upgrade', () => {
  it('ends within a second when the token is revoked', async () => {
    worker = await registerAgent(delivery.registry);
    const socket = await AgentSocket.open({ url: delivery.url, token: worker.token });
    await revoke(worker);
    const startedAt = performance.now();
    expect(await socket.closed).toBe(4401);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(socket.disconnectReason).toBe('revoked');
  });

  it.each([
    ['an unknown token', { token: 'unknown' }, 401, 2004],
    ['no token', { token: '' }, 401, 2004],
    ['the admin token', { token: 'admin-token' }, 403, 2003],
    ['an unknown parameter', { query: '?observe=true' }, 400, 1005],
    ['65 types', { query: `?${'subscribed_events=x&'.repeat(65)}` }, 400, 1005],
    ['another path', { query: '/other' }, 404, 2001],
  ])('refuses %s with an error body', async (_, options, status, code) => {
    worker = await registerAgent(delivery.registry);
    const { token, query } = { token: worker.token, query: '', ...options };
    expect(await refusedUpgrade(`${delivery.url}${query}`, token)).toMatchObject({
      status,
      body: { success: false, error: { status, code }, trace_id: expect.any(String) },
    });
  });
});

async function revoke(agent: TestAgent): Promise<void> {
  const record = await delivery.registry.agentById(agent.id);
  const hashes = record?.tokens.map(({ sha256 }) => sha256) ?? [];
  await Promise.all(hashes.map((hash) => delivery.registry.tokens.delete(hash)));
}
