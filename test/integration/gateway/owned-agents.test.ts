import { randomUUID } from 'node:crypto';
import type { AgentMe, NewSubscription } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { documentedOperations } from '../../support/api-reference.ts';
import { atOnce, message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { newHandle, ownersAt } from '../../support/owners.ts';

const relay = useGateway();
const { send, admin, organization, person, createAgent, handlesOf } = ownersAt(relay);

/** A subscription as it is shown when it is read. */
async function subscribe(token: string, base: string) {
  const made = await send(token, 'POST', `${base}/webhook-subscriptions`, {
    target_url: `${relay.client.url}/healthz`,
    subscribed_events: ['task.created'],
  });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const { signing_secret: _secret, ...subscription }: NewSubscription = JSON.parse(made.text);
  return subscription;
}

/** The id of an event that the subscription's target refused. */
async function refusedDelivery(agent: TestAgent): Promise<string> {
  await send(agent.token, 'PATCH', '/v1/me', { accepts_tasks: true });
  const body = { to: agent.handle, message: message() };
  expect((await send(relay.planner.token, 'POST', '/v1/tasks', body)).status).toBe(200);
  const path = '/v1/webhook-deliveries?status=dead_letter';
  const first = async () => (await send(agent.token, 'GET', path)).body.deliveries[0]?.id;
  await expect.poll(first).toBeDefined();
  return (await first()) ?? '';
}

describe('an owner', () => {
  it('makes agents of its own, and is their owner', async () => {
    const acme = await organization('Acme Inc');
    const { handle, token, ...agent } = await createAgent(acme.token, { display_name: 'Scribe' });
    const owner = { kind: 'organization', name: 'Acme Inc', verified: false };
    expect(agent).toMatchObject({ owner_id: acme.id, owner, verified: false });
    expect((await send(token, 'GET', '/v1/me')).body).toMatchObject({ owner, owner_people: [] });
    await admin('PATCH', `/v1/owners/${acme.id}`, { verified: true, name: 'Acme' });
    const verified = { owner: { ...owner, name: 'Acme', verified: true } };
    const path = `/v1/agents/${handle}`;
    await expect
      .poll(async () => (await send(acme.token, 'GET', path)).body.agent)
      .toMatchObject({ ...verified, verified: true });
    const sent = await relay.client.rpc({
      from: { token },
      to: relay.worker,
      method: 'SendMessage',
      params: { message: message(), configuration: atOnce },
    });
    expect(sent.body.result.task.metadata).toMatchObject({ relay: { requester: verified } });
  });

  it('manages what it owns: profile, tokens, end', async () => {
    const { token } = await person();
    const { handle, ...agent } = await createAgent(token);
    const path = `/v1/agents/${handle}`;
    const changed = await send(token, 'PATCH', path, { subtitle: 'Writes', skills: [] });
    expect(changed.body.agent).toMatchObject({ subtitle: 'Writes' });
    const made = await send(token, 'POST', `${path}/tokens`, { name: 'laptop' });
    expect((await send(made.body.token, 'GET', '/v1/me')).status).toBe(200);
    const { tokens } = (await send(token, 'GET', `${path}/tokens`)).body;
    expect(tokens.map(({ name }) => name)).toEqual([null, 'laptop']);
    expect((await send(token, 'DELETE', `${path}/tokens/${tokens[0]?.id}`)).status).toBe(204);
    await expect.poll(async () => (await send(agent.token, 'GET', '/v1/me')).status).toBe(401);
    expect((await send(token, 'DELETE', path)).status).toBe(204);
    expect((await send(made.body.token, 'GET', '/v1/me')).status).toBe(401);
    expect(await handlesOf(token)).toEqual([]);
    expect((await send(token, 'GET', path)).status).toBe(404);
  });

  it('manages the webhooks of its agents like they do themselves, each of its own', async () => {
    const { token } = await organization();
    const [scribe, other] = [await createAgent(token), await createAgent(token)];
    const base = `/v1/agents/${scribe.handle}`;
    const subscription = await subscribe(token, base);
    const path = `/webhook-subscriptions/${subscription.id}`;
    expect((await send(scribe.token, 'GET', `/v1${path}`)).body).toEqual(subscription);
    expect((await send(token, 'GET', `/v1/agents/${other.handle}${path}`)).status).toBe(404);
    expect((await send(other.token, 'GET', `/v1${path}`)).status).toBe(404);
    const delivery = `/webhook-deliveries/${await refusedDelivery(scribe)}`;
    const seen = await send(token, 'GET', base + delivery);
    expect([seen.status, seen.body]).toEqual([
      200,
      (await send(scribe.token, 'GET', `/v1${delivery}`)).body,
    ]);
    const ofOther = `/v1/agents/${other.handle}${delivery}`;
    expect((await send(token, 'GET', ofOther)).status).toBe(404);
    expect((await send(token, 'POST', `${ofOther}/redrive`)).status).toBe(404);
    expect((await send(token, 'POST', `${base + delivery}/redrive`)).status).toBe(200);
    const changed = await send(token, 'PUT', base + path, { is_active: false });
    expect((await send(scribe.token, 'GET', `/v1${path}`)).body).toEqual(changed.body);
    expect((await send(token, 'DELETE', base + path)).status).toBe(204);
    expect((await send(scribe.token, 'GET', `/v1${path}`)).status).toBe(404);
  });

  it('leaves to the agent whether it accepts tasks, and to the administrator what concerns others', async () => {
    const [acme, other] = [await organization(), await organization()];
    const { handle } = await createAgent(acme.token);
    const path = `/v1/agents/${handle}`;
    for (const [method, refusedPath, body] of [
      ['PATCH', path, { accepts_tasks: true }],
      ['PATCH', path, { accepts_tasks: true, subtitle: 'x' }],
      ['PATCH', path, { owner_id: other.id }],
      ['PATCH', path, { owner_id: acme.id }],
      ['PATCH', path, { owner_id: null }],
      ['POST', '/v1/agents', { handle: newHandle('owned'), owner_id: other.id }],
      ['POST', '/v1/agents', { handle: newHandle('owned'), owner_id: randomUUID() }],
      ['POST', '/v1/agents', { handle: newHandle('owned'), owner_id: null }],
      ['DELETE', `${path}?free_handle=true`, undefined],
    ] as const) {
      const { status, body: answer } = await send(acme.token, method, refusedPath, body);
      expect([refusedPath, body, status, answer.error.code]).toEqual([
        refusedPath,
        body,
        403,
        2003,
      ]);
    }
    const unchanged = { accepts_tasks: false, subtitle: null, owner_id: acme.id };
    expect((await send(acme.token, 'GET', path)).body.agent).toMatchObject(unchanged);
    expect(await handlesOf(acme.token)).toEqual([handle]);
    expect((await admin('PATCH', path, { owner_id: randomUUID() })).status).toBe(400);
  });

  it('lists its own agents alone, by handle, page by page', async () => {
    const [acme, other] = [await organization(), await organization()];
    const handles: string[] = [];
    for (const name of ['c', 'a', 'd', 'b']) {
      const handle = newHandle(`${name}_list`);
      handles.push(handle);
      await createAgent(acme.token, { handle });
      await createAgent(other.token, { handle: newHandle(`${name}_list`) });
    }
    const listed: string[] = [];
    for (let query = '?limit=3'; query; ) {
      const { body } = await send(acme.token, 'GET', `/v1/agents${query}`);
      listed.push(...body.agents.map(({ handle }) => handle));
      query = body.next_cursor === null ? '' : `?limit=3&cursor=${body.next_cursor}`;
    }
    expect(listed).toEqual(handles.toSorted());
  });
});

describe('agents of others', () => {
  const routes = documentedOperations().filter(({ path }) =>
    path.startsWith('/v1/agents/{handle}'),
  );

  it.each(routes)('$method $path answers for them as for unknown ones', async (route) => {
    const [acme, other] = [await organization(), await organization()];
    const agent = await createAgent(acme.token);
    const { handle } = agent;
    const { tokens } = (await admin('GET', `/v1/agents/${handle}/tokens`)).body;
    const subscription = await subscribe(acme.token, `/v1/agents/${handle}`);
    const deliveryId = await refusedDelivery(agent);
    const stateOf = async () => {
      const parts = ['', '/tokens', '/webhook-subscriptions', '/webhook-deliveries'];
      const read = (part: string) => admin('GET', `/v1/agents/${handle}${part}`);
      return (await Promise.all(parts.map(read))).map(({ text }) => text);
    };
    const before = await stateOf();
    const ids: Record<string, string> = {
      tokenId: tokens[0]?.id ?? '',
      subscriptionId: subscription.id,
      deliveryId,
    };
    const nobodys = (await relay.client.createAgent()).handle;
    const answers: unknown[] = [];
    for (const name of ['no_such_agent', handle, nobodys]) {
      const path = route.path
        .replace('{handle}', name)
        .replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? randomUUID());
      const body = route.method === 'GET' ? undefined : { subtitle: 'Stolen' };
      const { status, body: answer } = await send(other.token, route.method, path, body);
      answers.push([status, answer.error]);
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answers[0]).toMatchObject([404, { code: 2001 }]);
    expect(await stateOf()).toEqual(before);
  });

  it('become its own where the administrator gives them', async () => {
    const [acme, other] = [await organization(), await organization()];
    const { handle } = await createAgent(acme.token);
    const path = `/v1/agents/${handle}`;
    const statuses = async () => [
      (await send(acme.token, 'GET', path)).status,
      (await send(other.token, 'GET', path)).status,
    ];
    const lists = async () => [await handlesOf(acme.token), await handlesOf(other.token)];
    for (const [owner_id, seen, listed] of [
      [other.id, [404, 200], [[], [handle]]],
      [acme.id, [200, 404], [[handle], []]],
      [null, [404, 404], [[], []]],
    ] as const) {
      expect((await admin('PATCH', path, { owner_id })).body.agent).toMatchObject({ owner_id });
      expect([await statuses(), await lists()]).toEqual([seen, listed]);
    }
    for (const { id } of [acme, other]) {
      expect((await admin('DELETE', `/v1/owners/${id}`)).status).toBe(204);
    }
  });

  it('do not go to the former owner of their handle', async () => {
    const [acme, other] = [await organization(), await organization()];
    const { handle } = await createAgent(acme.token);
    await admin('DELETE', `/v1/agents/${handle}?free_handle=true`);
    const taken = await createAgent(other.token, { handle });
    expect(await handlesOf(acme.token)).toEqual([]);
    expect((await send(acme.token, 'DELETE', `/v1/agents/${handle}`)).status).toBe(404);
    expect((await send(taken.token, 'GET', '/v1/me')).status).toBe(200);
  });
});

describe('a member of an organization', () => {
  it('manages its agents like its own, and makes some for it, until it is none any more', async () => {
    const acme = await organization();
    const [ada, bob] = [await person([acme.id]), await person()];
    const own = await createAgent(ada.token);
    const shared = await createAgent(acme.token);
    const made = await createAgent(ada.token, { owner_id: acme.id });
    expect(made).toMatchObject({ owner_id: acme.id });
    const all = [own, shared, made].map(({ handle }) => handle).toSorted();
    expect((await handlesOf(ada.token)).toSorted()).toEqual(all);
    const path = `/v1/agents/${shared.handle}`;
    expect((await send(ada.token, 'PATCH', path, { subtitle: 'Shared' })).status).toBe(200);
    expect((await send(bob.token, 'PATCH', path, { subtitle: 'x' })).status).toBe(404);
    const ofOwn = `/v1/agents/${own.handle}`;
    expect((await send(acme.token, 'GET', ofOwn)).status).toBe(404);
    await admin('PATCH', `/v1/owners/${ada.id}`, { organizations: [] });
    expect((await send(ada.token, 'GET', path)).status).toBe(404);
    expect(await handlesOf(ada.token)).toEqual([own.handle]);
  });

  it('is who stands behind an agent that uses a token which the member made', async () => {
    const acme = await organization();
    const ada = await person([acme.id]);
    const { handle, token } = await createAgent(acme.token);
    const path = `/v1/agents/${handle}/tokens`;
    const [byAda, byAdmin] = [
      (await send(ada.token, 'POST', path, {})).body.token,
      (await admin('POST', path, {})).body.token,
    ];
    const peopleBehind = async (bearer: string) => {
      const { text } = await send(bearer, 'GET', '/v1/me');
      const { owner_people }: AgentMe = JSON.parse(text);
      return owner_people.map(({ id }) => id);
    };
    expect(await peopleBehind(token)).toEqual([]);
    expect(await peopleBehind(byAdmin)).toEqual([]);
    expect(await peopleBehind(byAda)).toEqual([ada.id]);
    expect(await peopleBehind((await createAgent(ada.token)).token)).toEqual([ada.id]);
    await admin('PATCH', `/v1/owners/${ada.id}`, { organizations: [] });
    expect(await peopleBehind(byAda)).toEqual([]);
  });
});
