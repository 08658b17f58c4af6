import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contactOf, findFor, foundFor, lookUp } from '../../support/directory-calls.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { ownersAt } from '../../support/owners.ts';
import { startRedis } from '../../support/servers.ts';

const relay = useGateway();
const { admin, organization, person, createAgent } = ownersAt(relay);

const ask = (body: unknown, token = relay.planner.token) => lookUp(relay.client, { token }, body);
const find = (task: string) => foundFor(relay.client, relay.planner, task);
const publish = (profile: Record<string, unknown>) =>
  relay.client.createAgent({ visibility: 'public', ...profile });

const skill = { id: 'x', name: 'X', description: 'x', tags: [] };

describe('a lookup by handle or id', () => {
  it("answers with the agent's card, what it takes, and whether it can be messaged", async () => {
    const acme = await organization('Acme');
    const { id, handle } = await createAgent(acme.token, {
      display_name: 'Scribe',
      subtitle: 'Writes',
      description: 'Writes letters.',
      category: 'productivity',
      skills: [{ ...skill, tags: ['letters'], examples: ['Write to my aunt'] }],
      input_modes: ['image/*'],
    });
    const contact = {
      id,
      handle,
      display_name: 'Scribe',
      kind: 'agent',
      name: 'Scribe',
      subtitle: 'Writes',
      description: 'Writes letters.',
      category: 'productivity',
      skills: [{ ...skill, tags: ['letters'], examples: ['Write to my aunt'] }],
      visibility: 'unlisted',
      image_url: null,
      image_color: null,
      verified: false,
      creator: { kind: 'organization', name: 'Acme', handle: null },
      owner: { kind: 'organization', name: 'Acme', verified: false },
      accepts_tasks: false,
      input_modes: ['text/plain', 'application/a2ui+json', 'image/*'],
      output_modes: ['text/plain', 'application/json', 'application/a2ui+json'],
      can_message: true,
    };
    for (const body of [{ handle }, { handle: ` @${handle.toUpperCase()} ` }, { id }]) {
      const answer = await ask(body);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { contact }]);
    }
  });

  it('answers an agent with a person, and a person with agents alone', async () => {
    const owner = await person();
    const resource = (await admin('GET', `/v1/owners/${owner.id}`)).body.owner;
    if (resource.kind !== 'user') throw new Error('no person');
    const { handle } = resource;
    const contact = {
      id: owner.id,
      handle,
      display_name: handle,
      kind: 'user',
      image_url: null,
      image_color: null,
      verified: false,
      can_message: false,
    };
    for (const body of [{ handle }, { id: owner.id }]) {
      expect(contactOf(await ask(body))).toEqual(contact);
    }
    const { handle: of } = relay.worker;
    const byPerson = await ask({ handle: of }, owner.token);
    expect([byPerson.status, contactOf(byPerson).handle]).toEqual([200, of]);
    const another = await person();
    expect((await ask({ id: owner.id }, another.token)).body.error.code).toBe(2001);
    expect((await ask({ handle }, owner.token)).status).toBe(422);
  });

  it('knows no handle and id that nobody has, or nobody has any more', async () => {
    const gone = await relay.client.createAgent();
    await admin('DELETE', `/v1/agents/${gone.handle}`);
    const acme = await organization();
    const unknown = [
      { handle: 'nobody_here' },
      { handle: 'not a handle' },
      { handle: 'x' },
      { handle: gone.handle },
      { id: gone.id },
      { id: randomUUID() },
      { id: acme.id },
    ];
    for (const body of unknown) {
      const { status, body: answer } = await ask(body);
      expect([body, status, answer.error.code, answer.error.message]).toEqual([
        body,
        404,
        2001,
        'Contact was not found.',
      ]);
    }
  });

  it('refuses to look up the caller itself', async () => {
    const { handle, id } = relay.planner;
    for (const body of [{ handle }, { id }]) {
      const { status, body: answer } = await ask(body);
      expect([status, answer.error.code]).toEqual([422, 1005]);
    }
  });

  it('tells whether the caller may message it now', async () => {
    const { handle, token } = await relay.client.createAgent();
    const owner = await person();
    const may = async (as?: string) => contactOf(await ask({ handle }, as)).can_message;
    expect([await may(), await may(owner.token)]).toEqual([true, true]);
    await admin('PATCH', `/v1/agents/${handle}`, { people_can_message: false });
    expect([await may(), await may(owner.token)]).toEqual([true, false]);
    await admin('PATCH', `/v1/agents/${handle}`, { agents_can_message: 'nobody' });
    expect(await may()).toBe(false);
    const rule = `/v1/access/${relay.planner.handle}`;
    await relay.client.send('PUT', rule, { token, body: { rule: 'allow' } });
    expect(await may()).toBe(true);
    const block = { token, body: { handle: relay.planner.handle } };
    await relay.client.send('POST', '/v1/blocked_handles', block);
    expect(await may()).toBe(false);
  });

  it('shows each change at once, at every replica', async () => {
    const other = await startTestGateway({ natsUrl: relay.nats.url, redisUrl: relay.redis.url });
    const client = new GatewayClient(other.url);
    try {
      const { handle } = relay.worker;
      for (const display_name of ['One', 'Two', 'Three', 'Four']) {
        await admin('PATCH', `/v1/agents/${handle}`, { display_name });
        const answer = await lookUp(client, relay.planner, { handle });
        expect(contactOf(answer).display_name).toBe(display_name);
      }
    } finally {
      await other.close();
    }
  });
});

describe('a lookup by task', () => {
  it('finds the public agents that match, best first, with what is needed to choose', async () => {
    const profile = {
      display_name: 'Linguist',
      skills: [{ ...skill, name: 'Translate to French' }],
    };
    const { handle, id } = await publish(profile);
    const [both] = await findFor(
      relay.client,
      relay.planner,
      'Please translate my letter into French',
    );
    expect(both).toMatchObject({
      id,
      handle,
      kind: 'agent',
      skills: [{ name: 'Translate to French' }],
      accepts_tasks: true,
      input_modes: ['text/plain', 'application/json'],
      visibility: 'public',
    });
    expect(both).not.toHaveProperty('can_message');
    const cook = await publish({ display_name: 'Cook', description: 'Plans French dinners.' });
    expect(await find('translate a letter into French')).toEqual([handle]);
    expect(await find('french')).toEqual([handle, cook.handle]);
    expect(await find('repair my bicycle')).toEqual([]);
  });

  it('leaves out unlisted and deleted agents, and the caller', async () => {
    const profile = { description: 'Juggles chainsaws' };
    const one = await publish(profile);
    const two = await publish(profile);
    await relay.client.createAgent(profile);
    expect((await find('juggle')).toSorted()).toEqual([one.handle, two.handle].toSorted());
    expect(await foundFor(relay.client, one, 'juggle')).toEqual([two.handle]);
    await admin('DELETE', `/v1/agents/${two.handle}`);
    expect(await find('juggle')).toEqual([one.handle]);
    expect(await foundFor(relay.client, await person(), 'juggle')).toEqual([one.handle]);
  });

  it('gives 20 at most, verified ones first', async () => {
    const acme = await organization();
    await admin('PATCH', `/v1/owners/${acme.id}`, { verified: true });
    await Promise.all(
      Array.from({ length: 25 }, () => publish({ display_name: 'Beekeeper', skills: [skill] })),
    );
    const verified = await createAgent(acme.token, {
      visibility: 'public',
      description: 'Sometimes a beekeeper.',
    });
    const found = await find('keep bees, beekeeper');
    expect(found).toHaveLength(20);
    expect(found[0]).toBe(verified.handle);
  });

  it('is asked for with a token of an agent or a person', async () => {
    const acme = await organization();
    const status = async (token: string | undefined) =>
      (await relay.client.send('POST', '/v1/contacts/lookup', { token, body: { task: 'x' } }))
        .status;
    expect(await status(undefined)).toBe(401);
    expect(await status('wrong')).toBe(401);
    expect(await status(acme.token)).toBe(403);
    expect(await status((await person()).token)).toBe(200);
  });
});

it.each([
  {},
  { handle: 'a_b', task: 'x' },
  { handle: 'a_b', id: randomUUID() },
  { handle: '' },
  { handle: 'x'.repeat(256) },
  { id: 'x' },
  { task: ' ' },
  { task: 'x'.repeat(201) },
  { name: 'x' },
  { task: 'x', limit: 1 },
])('refuses %j', async (body) => {
  const { status, body: answer } = await ask(body);
  expect([status, answer.error.code]).toEqual([400, 1005]);
});

it('answers 503 with Retry-After while Redis is away, and looks up by handle all the same', async () => {
  const redis = await startRedis();
  const gateway = await startTestGateway({ natsUrl: relay.nats.url, redisUrl: redis.url });
  const client = new GatewayClient(gateway.url);
  try {
    await redis.stop();
    const lookups = await Promise.all([
      lookUp(client, relay.planner, { task: 'anything' }),
      client.send('GET', '/v1/directory'),
    ]);
    for (const { status, headers, body } of lookups) {
      expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '1', 3006]);
    }
    const { handle } = relay.worker;
    expect((await lookUp(client, relay.planner, { handle })).status).toBe(200);
  } finally {
    await gateway.close();
  }
});
