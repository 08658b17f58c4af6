import { ensureAgent } from '@relay/gateway';
import { type CreateAgentRequest, createAgentRequestSchema, eventTypes } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { adminToken } from '../../support/gateway.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const admin = (method: string, path: string, body?: unknown) =>
  relay.client.send(method, path, { token: adminToken, body });
const me = (token: string) => relay.client.send('GET', '/v1/me', { token });

describe('/v1/agents', () => {
  it('registers an agent, whose token is good at once and shown once', async () => {
    const created = await admin('POST', '/v1/agents', { handle: 'scribe' });
    expect(created.status).toBe(201);
    expect(created.headers.get('cache-control')).toBe('no-store');
    const { agent, token } = created.body;
    expect(agent).toMatchObject({
      handle: 'scribe',
      display_name: 'scribe',
      accepts_tasks: false,
      visibility: 'unlisted',
      owner_id: null,
      owner: null,
    });
    expect(agent).not.toHaveProperty('tokens');
    expect((await me(token)).body).toEqual({
      id: agent.id,
      handle: 'scribe',
      kind: 'agent',
      display_name: 'scribe',
      owner: null,
      owner_people: [],
      calls_enabled: false,
    });
    expect((await admin('GET', '/v1/agents/scribe')).body).toEqual({ agent });
  });

  it('gives a handle once, and never one that is a path of its own', async () => {
    const created = await Promise.all(
      Array.from({ length: 5 }, () => admin('POST', '/v1/agents', { handle: 'contended' })),
    );
    const statuses = created.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
    for (const handle of ['a2a', 'healthz', 'readyz', 'metrics', 'console', 'docs', 'well_known']) {
      expect((await admin('POST', '/v1/agents', { handle })).status).toBe(409);
    }
    expect((await admin('POST', '/v1/agents', { handle: 'relay' })).status).toBe(201);
    for (const handle of ['v1', 'Upper', 'x', 'under_', 'ab__c', 'a'.repeat(33), '']) {
      expect((await admin('POST', '/v1/agents', { handle })).status).toBe(400);
    }
  });

  it('changes what is named, and leaves accepts_tasks to the agent itself', async () => {
    const { handle, token } = await relay.client.createAgent({ acceptsTasks: false });
    const path = `/v1/agents/${handle}`;
    await admin('PATCH', path, { description: 'Writes.' });
    const changed = await admin('PATCH', path, { display_name: 'Scribe', description: null });
    expect(changed.body.agent).toMatchObject({ display_name: 'Scribe', description: null });
    expect((await admin('PATCH', path, {})).status).toBe(400);
    const refused = await admin('PATCH', path, { accepts_tasks: true });
    expect([refused.status, refused.body.error.code]).toEqual([403, 2003]);
    const own = await relay.client.send('PATCH', '/v1/me', {
      token,
      body: { accepts_tasks: true },
    });
    expect([own.status, own.body]).toEqual([200, { accepts_tasks: true }]);
    expect((await admin('GET', path)).body.agent.accepts_tasks).toBe(true);
  });

  it('lists all agents by handle, page by page', async () => {
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await admin('GET', `/v1/agents?limit=2${query}`);
      expect(body.agents.length).toBeLessThanOrEqual(2);
      listed.push(...body.agents.map(({ handle }) => handle));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(listed).toEqual([...new Set(listed)].toSorted());
    expect(listed).toContain(relay.planner.handle);
    expect((await admin('GET', '/v1/agents?cursor=%21')).status).toBe(400);
    expect((await admin('GET', '/v1/agents?limit=101')).status).toBe(400);
  });

  it('deletes an agent: its tokens end, its handle stays taken until it is freed', async () => {
    const { handle, token } = await relay.client.createAgent();
    const path = `/v1/agents/${handle}`;
    expect((await admin('DELETE', path)).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await admin('GET', path)).status).toBe(404);
    expect((await relay.client.send('GET', `/${handle}/agent-card.json`)).status).toBe(404);
    expect((await admin('DELETE', path)).status).toBe(404);
    expect((await admin('POST', '/v1/agents', { handle })).status).toBe(409);
    expect((await admin('DELETE', `${path}?free_handle=true`)).status).toBe(204);
    expect((await admin('POST', '/v1/agents', { handle })).status).toBe(201);
    expect((await admin('DELETE', `${path}?free_handle=true`)).status).toBe(204);
    expect((await admin('DELETE', `${path}?free_handle=true`)).status).toBe(404);
  });

  it('tells the administrator, agents and others apart', async () => {
    const { client, planner } = relay;
    const codeOf = async (method: string, path: string, token?: string) => {
      const { status, body } = await client.send(method, path, token ? { token } : {});
      return [status, body.error.code];
    };
    for (const path of [
      '/v1/agents',
      `/v1/agents/${planner.handle}`,
      `/v1/agents/${planner.handle}/tokens`,
    ]) {
      expect(await codeOf('GET', path, planner.token)).toEqual([403, 2003]);
      expect(await codeOf('GET', path, 'nobody')).toEqual([401, 2004]);
      expect(await codeOf('GET', path)).toEqual([401, 2004]);
    }
    for (const path of ['/v1/me', '/v1/tasks', '/v1/webhook-events']) {
      expect(await codeOf('GET', path, adminToken)).toEqual([403, 2003]);
      expect(await codeOf('GET', path, 'nobody')).toEqual([401, 2004]);
    }
    expect(await codeOf('PATCH', '/v1/me', adminToken)).toEqual([403, 2003]);
  });
});

describe('/v1/agents/{handle}/tokens', () => {
  it('makes tokens, lists them without themselves, and revokes one alone', async () => {
    const { handle, token } = await relay.client.createAgent();
    const path = `/v1/agents/${handle}/tokens`;
    const made = await admin('POST', path, { name: 'laptop' });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect((await me(made.body.token)).status).toBe(200);
    const { tokens } = (await admin('GET', path)).body;
    expect(tokens.map(({ name }) => name)).toEqual([null, 'laptop']);
    expect(JSON.stringify(tokens)).not.toMatch(/sha256|relay_agent_/);
    const revoked = `${path}/${tokens[1]?.id}`;
    expect((await admin('DELETE', revoked)).status).toBe(204);
    await expect.poll(async () => (await me(made.body.token)).status).toBe(401);
    expect((await me(token)).status).toBe(200);
    expect((await admin('DELETE', revoked)).status).toBe(404);
  });

  it('are at most 50', async () => {
    const { handle } = await relay.client.createAgent();
    const made: number[] = [];
    for (let n = 0; n < 50; n += 1) {
      made.push((await admin('POST', `/v1/agents/${handle}/tokens`, {})).status);
    }
    expect(made.slice(0, 49).every((status) => status === 201)).toBe(true);
    expect(made[49]).toBe(409);
  });
});

describe('GET /v1/webhook-events', () => {
  it('names the events that there are', async () => {
    const { token } = relay.planner;
    const { body } = await relay.client.send('GET', '/v1/webhook-events', { token });
    expect(body).toEqual({
      events: eventTypes,
      doc_url: expect.stringMatching(/^http/),
    });
  });
});

describe('ensureAgent', () => {
  const profile: CreateAgentRequest = createAgentRequestSchema.parse({
    handle: 'demo_agent',
    display_name: 'Demo',
  });
  const ensure = (token: string) =>
    ensureAgent(relay.gateway.registry, { ...profile, token, tokenName: 'demo' });

  it('creates the agent with the given token, and keeps it when it comes again', async () => {
    const created = await ensure('token-one');
    expect((await ensure('token-one')).id).toBe(created.id);
    expect((await me('token-one')).body).toMatchObject({ id: created.id, handle: 'demo_agent' });
    const other = await admin('POST', '/v1/agents/demo_agent/tokens', { name: 'other' });
    expect((await ensure('token-two')).id).toBe(created.id);
    await expect.poll(async () => (await me('token-one')).status).toBe(401);
    expect((await me('token-two')).status).toBe(200);
    expect((await me(other.body.token)).status).toBe(200);
  });

  it("does not take another agent's token or a deleted agent's handle", async () => {
    await expect(ensure(relay.planner.token)).rejects.toThrow("another agent's");
    await admin('DELETE', '/v1/agents/demo_agent');
    await expect(ensure('token-three')).rejects.toThrow('taken');
  });
});
