import { randomUUID } from 'node:crypto';
import { agentIdSchema } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import {
  askDirectory,
  foundFor,
  listedHandles,
  newMark,
  readDirectory,
  restOfDirectory,
} from '../../support/directory-calls.ts';
import { flushRedis } from '../../support/flush-redis.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { GatewayClient, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { ownersAt } from '../../support/owners.ts';

const relay = useGateway();
const { admin, organization, createAgent } = ownersAt(relay);

const publish = (profile: Record<string, unknown> = {}): Promise<TestAgent> =>
  relay.client.createAgent({ visibility: 'public', ...profile });

const change = (handle: string, profile: Record<string, unknown>) =>
  admin('PATCH', `/v1/agents/${handle}`, profile);

const translate = {
  id: 'translate',
  name: 'Translate',
  description: 'Translates letters and contracts.',
  tags: ['language'],
  examples: ['Put this contract into Spanish'],
};

describe('GET /v1/directory', () => {
  it('shows what one needs to choose an agent, and needs no token', async () => {
    const acme = await organization('Acme');
    await admin('PATCH', `/v1/owners/${acme.id}`, {
      website: 'https://acme.example/',
      verified: true,
    });
    const { id, handle, token } = await createAgent(acme.token, {
      visibility: 'public',
      display_name: 'Interpreter',
      subtitle: 'Speaks three languages',
      description: 'Interprets.',
      category: 'business',
      skills: [translate],
      input_modes: ['audio/*'],
      output_modes: ['image/png'],
      image_url: 'https://acme.example/interpreter.png',
    });
    const [shown] = (await readDirectory(relay.client, { q: 'interpreter' })).agents;
    expect(shown).toEqual({
      id,
      handle,
      name: 'Interpreter',
      subtitle: 'Speaks three languages',
      description: 'Interprets.',
      category: 'business',
      skills: [translate],
      accepts_tasks: false,
      input_modes: ['text/plain', 'application/a2ui+json', 'audio/*'],
      output_modes: ['text/plain', 'application/json', 'application/a2ui+json', 'image/png'],
      image_url: 'https://acme.example/interpreter.png',
      image_color: null,
      accent_color: null,
      verified: true,
      provider: { name: 'Acme', url: 'https://acme.example/', verified: true },
      rating: { average: null, count: 0 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    await relay.client.send('PATCH', '/v1/me', { token, body: { accepts_tasks: true } });
    const [accepting] = (await readDirectory(relay.client, { q: 'interpreter' })).agents;
    expect(accepting).toMatchObject({
      accepts_tasks: true,
      input_modes: ['text/plain', 'application/json', 'audio/*'],
    });
  });

  it('shows an agent that nobody owns', async () => {
    const mark = newMark();
    await publish({ display_name: mark });
    const [shown] = (await readDirectory(relay.client, { q: mark })).agents;
    expect(shown).toMatchObject({
      verified: false,
      provider: { name: null, url: null, verified: false },
      subtitle: null,
      category: null,
      skills: [],
    });
  });

  it.each([
    ['q=', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['category=gardening', 'category'],
    ['sort=rank', 'sort'],
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
    ['cursor=x', 'cursor'],
    ['offset=3', 'offset'],
  ])('refuses %s', async (query) => {
    const { status, body } = await relay.client.send('GET', `/v1/directory?${query}`);
    expect([status, body.error.code]).toEqual([400, 1005]);
  });
});

describe('a list of the directory', () => {
  const inCategory = (category: string, names: readonly string[]) =>
    Promise.all(names.map((display_name) => publish({ display_name, category })));

  it('is by name, whatever the case and the accents, or by age, and of one category', async () => {
    const agents: TestAgent[] = [];
    for (const display_name of ['beta', 'Álpha', 'Gamma']) {
      agents.push(await publish({ display_name, category: 'travel' }));
    }
    const [beta = '', alpha = '', gamma = ''] = agents.map(({ handle }) => handle);
    expect(await listedHandles(relay.client, { category: 'travel' })).toEqual([alpha, beta, gamma]);
    expect(await listedHandles(relay.client, { category: 'travel', sort: 'newest' })).toEqual([
      gamma,
      alpha,
      beta,
    ]);
    expect(await listedHandles(relay.client, { category: 'social' })).toEqual([]);
  });

  it('has verified agents first, from when their owner is and until it is not any more', async () => {
    const acme = await organization();
    const profile = { visibility: 'public', category: 'finance' };
    const owned = await createAgent(acme.token, { ...profile, display_name: 'Zed' });
    const [other] = await inCategory('finance', ['Abe']);
    const list = () => listedHandles(relay.client, { category: 'finance' });
    expect(await list()).toEqual([other?.handle, owned.handle]);
    for (const verified of [true, false, true]) {
      await admin('PATCH', `/v1/owners/${acme.id}`, { verified });
      const handles = [other?.handle, owned.handle];
      expect(await list()).toEqual(verified ? handles.toReversed() : handles);
    }
    const { agents } = await readDirectory(relay.client, { category: 'finance' });
    expect(agents.map(({ verified }) => verified)).toEqual([true, false]);
    await change(owned.handle, { owner_id: null });
    expect(await list()).toEqual([other?.handle, owned.handle]);
  });

  it.each(['name', 'newest'])('by %s comes in pages that neither skip nor repeat', async (sort) => {
    const category = sort === 'name' ? 'shopping' : 'education';
    await inCategory(
      category,
      Array.from({ length: 11 }, (_, at) => `Agent ${at % 4}`),
    );
    const all = await listedHandles(relay.client, { category, sort });
    expect(all).toHaveLength(11);
    const paged = await restOfDirectory(relay.client, { category, sort, limit: 3 });
    expect(paged).toEqual(all);
  });

  it('goes on where it was when agents come, go and change between pages', async () => {
    const category = 'lifestyle';
    const before = await inCategory(category, ['B', 'D', 'F', 'H', 'J', 'L']);
    const [b, d, f, h, j, l] = before.map(({ handle }) => handle);
    let pages = 0;
    const seen = await restOfDirectory(relay.client, { category, limit: 2 }, async () => {
      pages += 1;
      if (pages !== 1) return;
      // Before the position: one more, one less, and the last one seen.
      await inCategory(category, ['A']);
      await admin('DELETE', `/v1/agents/${b}`);
      await change(d ?? '', { visibility: 'unlisted' });
      // After it: one more, one less, and one that moves to the end.
      await inCategory(category, ['K']);
      await admin('DELETE', `/v1/agents/${h}`);
      await change(f ?? '', { display_name: 'Z' });
    });
    const added = await listedHandles(relay.client, { category });
    expect(seen).toEqual([b, d, j, added.at(-3), l, f]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('does not take a cursor of another list', async () => {
    await inCategory('productivity', ['A', 'B']);
    const page = await readDirectory(relay.client, { category: 'productivity', limit: 1 });
    const cursor = page.next_cursor ?? '';
    const others: readonly Record<string, string>[] = [
      { sort: 'newest', category: 'productivity' },
      { category: 'travel' },
      {},
      { q: 'a' },
    ];
    for (const query of others) {
      expect((await askDirectory(relay.client, { ...query, cursor })).status).toBe(400);
    }
    expect((await askDirectory(relay.client, { category: 'productivity', cursor })).status).toBe(
      200,
    );
  });
});

describe('the directory', () => {
  it('holds no agent that is unlisted, or was deleted', async () => {
    const mark = newMark();
    const { handle } = await relay.client.createAgent({ display_name: mark, category: 'social' });
    const find = () => listedHandles(relay.client, { q: mark });
    const list = () => listedHandles(relay.client, { category: 'social' });
    expect([await find(), await list()]).toEqual([[], []]);
    await change(handle, { visibility: 'public' });
    expect([await find(), await list()]).toEqual([[handle], [handle]]);
    await change(handle, { visibility: 'unlisted' });
    expect([await find(), await list()]).toEqual([[], []]);
    await change(handle, { visibility: 'public' });
    await admin('DELETE', `/v1/agents/${handle}`);
    expect([await find(), await list()]).toEqual([[], []]);
  });

  it('holds no agent that people cannot message; others find it by a task all the same', async () => {
    const mark = newMark();
    const category = 'health-fitness';
    const { handle } = await publish({ display_name: mark, category });
    const list = async () => [
      await listedHandles(relay.client, { q: mark }),
      await listedHandles(relay.client, { category }),
      await foundFor(relay.client, relay.planner, mark),
    ];
    expect(await list()).toEqual([[handle], [handle], [handle]]);
    await change(handle, { people_can_message: false });
    expect(await list()).toEqual([[], [], [handle]]);
    await change(handle, { people_can_message: true });
    expect(await list()).toEqual([[handle], [handle], [handle]]);
    await admin('DELETE', `/v1/agents/${handle}`);
  });

  it('shows each change at once: names, words, categories and skills, and none of before', async () => {
    const { handle } = await publish();
    const marks = Array.from({ length: 6 }, newMark);
    for (const [at, mark] of marks.entries()) {
      const category = at % 2 ? 'health-fitness' : 'developer-tools';
      const skills = [{ ...translate, id: mark }];
      await change(handle, { display_name: mark, category, skills });
      const [shown] = (await readDirectory(relay.client, { category })).agents;
      expect(shown).toMatchObject({ handle, name: mark, category, skills });
      expect(await listedHandles(relay.client, { skill: mark })).toEqual([handle]);
      const before = marks[at - 1];
      if (before) expect(await listedHandles(relay.client, { q: before })).toEqual([]);
    }
    expect(await listedHandles(relay.client, { category: 'developer-tools' })).toEqual([]);
  });

  it('is the same at every replica, at once', async () => {
    const other = await startTestGateway({ natsUrl: relay.nats.url, redisUrl: relay.redis.url });
    const clients = [relay.client, new GatewayClient(other.url)];
    const seenBy = (q: string) =>
      Promise.all(clients.map((client) => listedHandles(client, { q })));
    try {
      for (const client of [...clients, ...clients, ...clients]) {
        const mark = newMark();
        const { handle } = await client.createAgent({ display_name: mark, visibility: 'public' });
        expect(await seenBy(mark)).toEqual([[handle], [handle]]);
        await change(handle, { visibility: 'unlisted' });
        expect(await seenBy(mark)).toEqual([[], []]);
      }
    } finally {
      await other.close();
    }
  });

  it('does not show a registration that broke off before its handle was given', async () => {
    const mark = newMark();
    const { id, handle } = await publish({ display_name: mark });
    const { registry } = relay.gateway;
    const agent = (await registry.agents.get(agentIdSchema.parse(id)))?.value;
    if (!agent) throw new Error('no agent');
    const left = agentIdSchema.parse(randomUUID());
    await registry.agents.create(left, { ...agent, id: left });
    expect(await listedHandles(relay.client, { q: mark })).toEqual([handle]);
  });

  it('heals when Redis loses everything, without a change of the registry', async () => {
    const query = { limit: 50, sort: 'newest' };
    const before = await listedHandles(relay.client, query);
    const found = await listedHandles(relay.client, { skill: 'language', limit: 50 });
    expect(before.length).toBeGreaterThan(10);
    await flushRedis(relay.redis.url);
    expect(await listedHandles(relay.client, query)).toEqual(before);
    expect(await listedHandles(relay.client, { skill: 'language', limit: 50 })).toEqual(found);
  });
});
