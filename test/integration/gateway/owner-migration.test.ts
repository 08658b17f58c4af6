import { randomUUID } from 'node:crypto';
import { hashToken, makeToken } from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { adminToken, startTestGateway } from '../../support/gateway.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { startRedis } from '../../support/servers.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const acme = { kind: 'organization', name: 'Acme', verified: true };
const widgets = { ...acme, name: 'Widgets', website: 'https://widgets.example' };
const ada = { kind: 'user', handle: 'ada', display_name: 'Ada' };
/** Its handle is an agent's. */
const bob = { kind: 'user', handle: 'agent_of_bob', display_name: 'Bob' };

const described: Readonly<Record<string, object | null>> = {
  agent_of_nobody: null,
  agent_of_acme: acme,
  other_of_acme: acme,
  agent_of_widgets: widgets,
  agent_of_ada: ada,
  other_of_ada: { ...ada, display_name: 'Ada Lovelace' },
  agent_of_bob: bob,
};

it('owners that records of agents describe get records of their own, once', async () => {
  const [nats, redis] = [await natsForTest(), await startRedis()];
  onTestFinished(() => redis.stop());
  const bus = await busForTest(nats);
  const put = (prefix: string, key: string, value: object) =>
    bus.bucket('registry', prefix, z.looseObject({})).create(key, { ...value });
  const at = '2026-11-30T00:00:00.000Z';
  const tokens = new Map<string, string>();
  for (const [handle, owner] of Object.entries(described)) {
    const [agentId, token] = [randomUUID(), makeToken('agent')];
    const record = { id: randomUUID(), name: null, created_at: at, sha256: hashToken(token) };
    tokens.set(handle, token);
    await put('agent.', agentId, {
      id: agentId,
      handle,
      display_name: handle,
      subtitle: null,
      description: null,
      category: null,
      skills: [],
      image_url: null,
      visibility: 'public',
      owner,
      accepts_tasks: true,
      created_at: at,
      updated_at: at,
      tokens: [record],
    });
    await put('handle.', handle, { agentId });
    await put('token.', record.sha256, { agentId });
  }

  const gateways = await Promise.all(
    [1, 2].map(() => startTestGateway({ natsUrl: nats.url, redisUrl: redis.url })),
  );
  for (const gateway of gateways) {
    onTestFinished(() => gateway.close());
    const client = new GatewayClient(gateway.url);
    const admin = (path: string) => client.send('GET', path, { token: adminToken });
    const { agents } = (await admin('/v1/agents')).body;
    const owners = Object.fromEntries(agents.map(({ handle, owner }) => [handle, owner]));
    const person = { kind: 'user', handle: expect.stringMatching(/^person_[0-9a-f]{12}$/) };
    expect(owners).toEqual({
      agent_of_nobody: null,
      agent_of_acme: acme,
      other_of_acme: acme,
      agent_of_widgets: { kind: 'organization', name: 'Widgets', verified: true },
      agent_of_ada: { ...ada, display_name: expect.stringMatching(/^Ada/) },
      other_of_ada: owners['agent_of_ada'],
      agent_of_bob: { ...person, display_name: 'Bob' },
    });
    const ids = new Set(agents.map(({ owner_id }) => owner_id));
    expect(ids.size).toBe(5);
    expect((await admin('/v1/owners')).body.owners.map(({ id }) => id)).toHaveLength(4);
    for (const [handle, token] of tokens) {
      const me = await client.send('GET', '/v1/me', { token });
      expect(me.body).toMatchObject({ handle, owner: owners[handle] });
    }
    const { agent } = (await admin('/v1/agents/agent_of_ada')).body;
    const owned = await client.send('POST', `/v1/owners/${agent.owner_id}/tokens`, {
      token: adminToken,
      body: {},
    });
    const list = await client.send('GET', '/v1/agents', { token: owned.body.token });
    expect(list.body.agents.map(({ handle }) => handle)).toEqual(['agent_of_ada', 'other_of_ada']);
  }
});
