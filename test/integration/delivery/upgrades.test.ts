import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { hashToken, makeToken } from '@relay/bus';
import { ownerRecordSchema } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import type { TestAgent } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';

const relay = useDelivery('file');

describe('an upgrade', () => {
  it('ends within a second when the token is revoked', async () => {
    const socket = await relay.open();
    await revoke(relay.worker);
    const startedAt = performance.now();
    expect(await socket.closed).toBe(4401);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(socket.disconnectReason).toBe('revoked');
  });

  it('is told to try later where an agent has 1,024 connections', async () => {
    const sockets = await Promise.all(Array.from({ length: 1_024 }, () => relay.open()));
    expect(await refusedUpgrade(relay.delivery.url, relay.worker.token)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '30' },
      body: { error: { code: 2008 } },
    });
    const other = await relay.open({ agent: relay.planner });
    await Promise.all([other, ...sockets].map((socket) => socket.close()));
  });

  it.each([
    ['an unknown token', { token: 'unknown' }, 401, 2004],
    ['no token', { token: '' }, 401, 2004],
    ['the admin token', { token: 'admin-token' }, 403, 2003],
    ['an unknown parameter', { query: '?observe=yes' }, 400, 1005],
    [
      'an unknown parameter behind a second question mark',
      { query: '?observe=true?x=1' },
      400,
      1005,
    ],
    ['65 types', { query: `?${'subscribed_events=x&'.repeat(65)}` }, 400, 1005],
    ['another path', { query: '/other' }, 404, 2001],
  ])('refuses %s with an error body', async (_, options, status, code) => {
    const { token, query } = { token: relay.worker.token, query: '', ...options };
    expect(await refusedUpgrade(`${relay.delivery.url}${query}`, token)).toMatchObject({
      status,
      body: { success: false, error: { status, code }, trace_id: expect.any(String) },
    });
  });
});

it('tells a client of another version of WebSockets which one it speaks (RFC 6455 §4.4)', async () => {
  const asked = request(relay.delivery.url.replace('ws', 'http'), {
    headers: {
      authorization: `Bearer ${relay.worker.token}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-version': '99',
    },
  });
  const answered = new Promise<IncomingMessage>((resolve) => asked.once('response', resolve));
  asked.end();
  const { statusCode, headers } = await answered;
  expect([statusCode, headers['sec-websocket-version']]).toEqual([400, '13']);
});

it("refuses an owner's token, as on each route that is for agents alone", async () => {
  const { registry, url } = relay.delivery;
  const [token, at] = [makeToken('owner'), new Date().toISOString()];
  const owner = ownerRecordSchema.parse({
    kind: 'organization',
    id: randomUUID(),
    name: 'Acme',
    website: null,
    verified: false,
    created_at: at,
    updated_at: at,
    tokens: [],
  });
  await registry.owners.create(owner.id, owner);
  await registry.tokens.create(hashToken(token), { ownerId: owner.id });
  expect(await refusedUpgrade(url, token)).toMatchObject({
    status: 403,
    body: { error: { code: 2003 } },
  });
});

async function revoke(agent: TestAgent): Promise<void> {
  const { registry } = relay.delivery;
  const record = await registry.agentById(agent.id);
  const hashes = record?.tokens.map(({ sha256 }) => sha256) ?? [];
  await Promise.all(hashes.map((hash) => registry.tokens.delete(hash)));
}
