import { describe, expect, it } from 'vitest';
import { listedHandles, newMark, restOfDirectory } from '../../support/directory-calls.ts';
import type { TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { ownersAt } from '../../support/owners.ts';

const relay = useGateway();
const { admin, organization, createAgent } = ownersAt(relay);

const publish = (profile: Record<string, unknown> = {}): Promise<TestAgent> =>
  relay.client.createAgent({ visibility: 'public', ...profile });

const translate = {
  id: 'translate',
  name: 'Translate',
  description: 'Translates letters and contracts.',
  tags: ['language'],
  examples: ['Put this contract into Spanish'],
};

describe('a search of the directory', () => {
  it('finds words of names, handles, subtitles, descriptions, categories and skills', async () => {
    const mark = newMark();
    const byField: readonly Record<string, unknown>[] = [
      { handle: `${mark}_h` },
      { display_name: mark },
      { subtitle: `A ${mark.toUpperCase()}.` },
      { description: `Does ${mark}, well` },
      ...[
        { name: mark },
        { description: mark },
        { tags: [mark] },
        { examples: [`Please ${mark} it`] },
      ].map((fields) => ({ skills: [{ ...translate, id: 'x', ...fields }] })),
    ];
    const agents = await Promise.all(byField.map(publish));
    const found = await listedHandles(relay.client, { q: `do ${mark}` });
    expect(found.toSorted()).toEqual(agents.map(({ handle }) => handle).toSorted());
  });

  it('knows a word by its stem, without case and accents', async () => {
    const { handle } = await publish({
      display_name: 'Röntgen',
      description: 'Reads radiographs.',
    });
    for (const q of ['rontgen', 'RÖNTGEN', 'reading a radiograph', 'radiographs']) {
      expect([q, await listedHandles(relay.client, { q })]).toEqual([q, [handle]]);
    }
  });

  it('ranks by match: more of the words, and where they stand', async () => {
    const [a, b, c] = [newMark(), newMark(), newMark()];
    const named = await publish({ display_name: `${a} ${b} ${c}` });
    const described = await publish({ description: `${a} ${b} ${c}` });
    const partly = await publish({ display_name: `${a} ${b}` });
    // Has too little of what was asked for.
    await publish({ display_name: a });
    expect(await listedHandles(relay.client, { q: `${c} and ${b} of ${a}` })).toEqual([
      named.handle,
      described.handle,
      partly.handle,
    ]);
  });

  it('puts verified agents first among those that match', async () => {
    const [mark, other] = [newMark(), newMark()];
    const acme = await organization();
    await admin('PATCH', `/v1/owners/${acme.id}`, { verified: true });
    const better = await publish({ display_name: mark });
    const verified = await createAgent(acme.token, { visibility: 'public', description: mark });
    await createAgent(acme.token, { visibility: 'public', description: other });
    expect(await listedHandles(relay.client, { q: mark })).toEqual([
      verified.handle,
      better.handle,
    ]);
    await admin('PATCH', `/v1/owners/${acme.id}`, { verified: false });
    expect(await listedHandles(relay.client, { q: mark })).toEqual([
      better.handle,
      verified.handle,
    ]);
  });

  it('finds by a skill: its id, name or tag, whole', async () => {
    const mark = newMark();
    const skill = { ...translate, id: `${mark}-id`, name: `Say ${mark}`, tags: [`${mark} tag`] };
    const { handle } = await publish({ skills: [skill] });
    await publish({ display_name: `${mark}-id` });
    for (const named of [`${mark}-id`, `SAY ${mark}`, `${mark} tag`]) {
      expect(await listedHandles(relay.client, { skill: named })).toEqual([handle]);
    }
    expect(await listedHandles(relay.client, { skill: mark })).toEqual([]);
    const query = { skill: `${mark}-id`, q: 'put a contract into Spanish' };
    expect(await listedHandles(relay.client, query)).toEqual([handle]);
    expect(await listedHandles(relay.client, { ...query, q: 'water the garden' })).toEqual([]);
  });

  it('stays within a category', async () => {
    const mark = newMark();
    const { handle } = await publish({ display_name: mark, category: 'utilities' });
    await publish({ display_name: mark, category: 'entertainment' });
    expect(await listedHandles(relay.client, { q: mark, category: 'utilities' })).toEqual([handle]);
  });

  it.each([
    '!?',
    'what can you do for me',
    'nobodyhasthisword',
    '%00',
    '*',
    '(',
    '\\',
    '\u{1F642}',
    '#',
  ])('finds nothing for %j', async (q) => {
    expect(await listedHandles(relay.client, { q })).toEqual([]);
  });

  it('comes in pages that stay as they are when agents come and go', async () => {
    const [a, b] = [newMark(), newMark()];
    const agents = await Promise.all(
      Array.from({ length: 9 }, (_, at) => publish({ description: at % 2 ? `${a} ${b}` : b })),
    );
    const query = { q: `${a} ${b}`, limit: 2 };
    const all = await restOfDirectory(relay.client, query);
    // Too little of a rare word is no match.
    expect(all.length).toBeGreaterThanOrEqual(4);
    const seen = await restOfDirectory(relay.client, query, async () => {
      await publish({ display_name: `${a} ${b}` });
    });
    const known = new Set(agents.map(({ handle }) => handle));
    expect(seen.filter((handle) => known.has(handle))).toEqual(all);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
