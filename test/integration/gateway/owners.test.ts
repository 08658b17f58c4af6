import { randomUUID } from 'node:crypto';
import type { CreateOwnerRequest } from '@relay/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DocumentedOperation, documentedOperations } from '../../support/api-reference.ts';
import { adminToken, startTestGateway } from '../../support/gateway.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { newHandle, ownersAt } from '../../support/owners.ts';

const relay = useGateway();
const { send, admin, organization, person, createAgent } = ownersAt(relay);

describe('/v1/owners', () => {
  const profiles: readonly CreateOwnerRequest[] = [
    { kind: 'organization', name: 'Acme', website: 'https://acme.example', verified: false },
    { kind: 'organization', name: 'Acme', website: null, verified: true },
  ];

  it.each(profiles)('registers %j, and gives it back', async (profile) => {
    const made = await admin('POST', '/v1/owners', profile);
    expect([made.status, made.body.owner]).toMatchObject([201, profile]);
    const path = `/v1/owners/${made.body.owner.id}`;
    expect((await admin('GET', path)).body).toEqual(made.body);
  });

  it('gives a handle to one person or agent, once', async () => {
    const handle = newHandle('ada');
    const profile = { kind: 'user', handle, display_name: 'Ada' };
    const made = await Promise.all([1, 2, 3].map(() => admin('POST', '/v1/owners', profile)));
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect((await admin('POST', '/v1/agents', { handle })).status).toBe(409);
    const taken = { ...profile, handle: relay.worker.handle };
    expect((await admin('POST', '/v1/owners', taken)).status).toBe(409);
    expect((await admin('POST', '/v1/owners', { ...profile, handle: 'healthz' })).status).toBe(409);
    for (const query of ['', '?free_handle=true']) {
      expect((await admin('DELETE', `/v1/agents/${handle}${query}`)).status).toBe(404);
    }
    expect((await admin('GET', `/v1/agents/${handle}`)).status).toBe(404);
    expect((await send(undefined, 'GET', `/${handle}`)).status).toBe(404);
  });

  it('changes what is named, of its own kind', async () => {
    const [acme, ada] = [await organization(), await person()];
    const change = (id: string, body: unknown) => admin('PATCH', `/v1/owners/${id}`, body);
    const website = 'https://acme.example';
    expect((await change(acme.id, { website })).body.owner).toMatchObject({ website });
    const cleared = await change(acme.id, { website: null, name: 'Acme 2' });
    expect(cleared.body.owner).toMatchObject({ website: null, name: 'Acme 2' });
    const joined = await change(ada.id, { organizations: [acme.id] });
    expect(joined.body.owner).toMatchObject({ organizations: [acme.id] });
    for (const [id, body] of [
      [acme.id, {}],
      [acme.id, { display_name: 'x' }],
      [acme.id, { kind: 'user' }],
      [acme.id, { website: 'ftp://acme.example' }],
      [ada.id, { verified: true }],
      [ada.id, { handle: 'other_name' }],
      [ada.id, { organizations: [ada.id] }],
      [ada.id, { organizations: [randomUUID()] }],
      [ada.id, { organizations: ['x'] }],
      [ada.id, []],
    ] as const) {
      const refused = await change(id, body);
      expect([body, refused.status, refused.body.error.code]).toEqual([body, 400, 1005]);
    }
    expect((await admin('GET', `/v1/owners/${acme.id}`)).body).toEqual(cleared.body);
    expect((await admin('GET', `/v1/owners/${ada.id}`)).body).toEqual(joined.body);
    expect((await change(randomUUID(), { name: 'x' })).status).toBe(404);
    expect((await change('x', { name: 'x' })).status).toBe(404);
  });

  it('lists all owners, the oldest first, page by page', async () => {
    const made = [await organization(), await person(), await organization()];
    const listed: string[] = [];
    for (let query = '?limit=2'; query; ) {
      const { body } = await admin('GET', `/v1/owners${query}`);
      expect(body.owners.length).toBeLessThanOrEqual(2);
      listed.push(...body.owners.map(({ id }) => id));
      query = body.next_cursor === null ? '' : `?limit=2&cursor=${body.next_cursor}`;
    }
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.slice(-3)).toEqual(made.map(({ id }) => id));
    expect((await admin('GET', '/v1/owners?cursor=%21')).status).toBe(400);
  });

  it('deletes an owner that owns no agent, with its tokens; a handle stays taken', async () => {
    const ada = await person();
    const path = `/v1/owners/${ada.id}`;
    const { owner } = (await admin('GET', path)).body;
    const agent = await createAgent(ada.token);
    const refused = await admin('DELETE', path);
    expect([refused.status, refused.body.error.code]).toEqual([409, 1005]);
    expect((await send(ada.token, 'GET', '/v1/agents')).status).toBe(200);
    await send(ada.token, 'DELETE', `/v1/agents/${agent.handle}`);
    expect((await admin('DELETE', path)).status).toBe(204);
    expect((await send(ada.token, 'GET', '/v1/agents')).status).toBe(401);
    for (const method of ['GET', 'DELETE']) expect((await admin(method, path)).status).toBe(404);
    expect((await admin('POST', `${path}/tokens`, {})).status).toBe(404);
    if (owner.kind !== 'user') throw new Error('no person');
    const { handle } = owner;
    expect((await admin('POST', '/v1/agents', { handle })).status).toBe(409);
    await admin('DELETE', `/v1/agents/${handle}?free_handle=true`);
    expect((await admin('POST', '/v1/agents', { handle })).status).toBe(201);
  });
});

describe('/v1/owners/{ownerId}/tokens', () => {
  it('shows a token once, and lists it without itself', async () => {
    const { id } = await organization();
    const path = `/v1/owners/${id}/tokens`;
    const made = await admin('POST', path, { name: 'laptop' });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(made.body.token).toMatch(/^relay_owner_[0-9A-Za-z]{49}$/);
    const listed = await admin('GET', path);
    expect(listed.body.tokens.map(({ name }) => name)).toEqual([null, 'laptop']);
    expect(listed.text).not.toMatch(/sha256|relay_owner_/);
    expect((await admin('GET', `/v1/owners/${id}`)).text).not.toMatch(/sha256|tokens/);
  });

  it('makes many tokens at once, and loses none', async () => {
    const { id } = await organization();
    const path = `/v1/owners/${id}/tokens`;
    const made = await Promise.all(Array.from({ length: 60 }, () => admin('POST', path, {})));
    const good = made.filter(({ status }) => status === 201);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(11);
    expect((await admin('GET', path)).body.tokens).toHaveLength(50);
    for (const { body } of good) {
      expect((await send(body.token, 'GET', '/v1/agents')).status).toBe(200);
    }
  });

  it('revokes a token alone, within a second at each gateway', async () => {
    const { nats, redis } = relay;
    const other = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
    const clients = [relay.client, new GatewayClient(other.url)];
    const { id, token } = await organization();
    const path = `/v1/owners/${id}/tokens`;
    const kept = (await admin('POST', path, {})).body.token;
    const statuses = (bearer: string) =>
      Promise.all(
        clients.map(async (client) => {
          const { status } = await client.send('GET', '/v1/agents', { token: bearer });
          return status;
        }),
      );
    expect(await statuses(token)).toEqual([200, 200]);
    const [first] = (await admin('GET', path)).body.tokens;
    expect((await admin('DELETE', `${path}/${first?.id}`)).status).toBe(204);
    await expect.poll(() => statuses(token), { timeout: 1_000, interval: 20 }).toEqual([401, 401]);
    expect(await statuses(kept)).toEqual([200, 200]);
    expect((await admin('DELETE', `${path}/${first?.id}`)).status).toBe(404);
    expect((await admin('DELETE', `/v1/owners/${id}`)).status).toBe(204);
    await expect.poll(() => statuses(kept), { timeout: 1_000, interval: 20 }).toEqual([401, 401]);
    await other.close();
  });
});

describe('who may use which route', () => {
  const refused = {
    address: { none: 401, unknown: 401, agent: 0, organization: 401, person: 401, admin: 401 },
    agent: { none: 401, unknown: 401, agent: 0, organization: 403, person: 403, admin: 403 },
    contact: { none: 401, unknown: 401, agent: 0, organization: 403, person: 0, admin: 403 },
    manager: { none: 401, unknown: 401, agent: 403, organization: 0, person: 0, admin: 0 },
    administrator: {
      none: 401,
      unknown: 401,
      agent: 403,
      organization: 403,
      person: 403,
      admin: 0,
    },
  };
  const codes = new Map([
    [401, 2004],
    [403, 2003],
  ]);
  const tokens: Record<string, string | undefined> = {};

  beforeAll(async () => {
    tokens['unknown'] = 'relay_owner_unknown';
    tokens['agent'] = relay.planner.token;
    tokens['organization'] = (await organization()).token;
    tokens['person'] = (await person()).token;
    tokens['admin'] = adminToken;
  });

  function audienceOf({ method, path }: DocumentedOperation): keyof typeof refused | undefined {
    const [, atAddress] = /^(?:\/a2a)?\/\{handle\}(.*)/.exec(path) ?? [];
    if (atAddress !== undefined) {
      const isPublic = method === 'GET' && /^$|\/agent(?:-card)?\.json$/.test(atAddress);
      return isPublic ? undefined : 'address';
    }
    if (path === '/v1/directory') return undefined;
    if (path === '/v1/contacts/lookup') return 'contact';
    if (/^\/v1\/(?:owners|stuck-messages|secrets)/.test(path)) return 'administrator';
    if (path.startsWith('/v1/agents')) return 'manager';
    return path.startsWith('/v1/') ? 'agent' : undefined;
  }

  const guarded = documentedOperations().flatMap((operation) => {
    const audience = operation.statuses.includes(101) ? undefined : audienceOf(operation);
    return audience ? [{ ...operation, audience }] : [];
  });

  it.each(guarded)('$method $path is for one: $audience', async ({ method, path, audience }) => {
    const handle = audience === 'address' ? relay.worker.handle : 'no_such_agent';
    const named = path.replace('{handle}', handle).replaceAll(/\{\w+\}/g, randomUUID());
    for (const [identity, expected] of Object.entries(refused[audience])) {
      const body = method === 'GET' ? undefined : { id: 7 };
      const answer = await send(tokens[identity], method, named, body);
      const { status } = answer;
      const isRefused = status === 401 || status === 403;
      expect([identity, isRefused ? status : 0]).toEqual([identity, expected]);
      if (!isRefused) continue;
      if (audience === 'address') {
        // Each binding has a form of its own; JSON-RPC's carries the request's id.
        expect(answer.text).toContain('"metadata":{"code":"2004"}');
        if (path.endsWith('/{handle}')) expect(answer.body).toMatchObject({ id: 7 });
      } else {
        expect(answer.body.error.code).toBe(codes.get(status));
      }
    }
  });
});
