import { type AgentRecord, agentIdSchema, agentRecordSchema } from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profileWords, skillKey } from './profile-words.ts';
import { type Candidate, compareRanks, measureFor, rank } from './ranking.ts';
import { fold, wordsAskedFor, wordsOf } from './words.ts';

const id = (number: number) =>
  agentIdSchema.parse(`01939e2c-8f4a-7c31-9b60-${String(number).padStart(12, '0')}`);

function profile(fields: Partial<AgentRecord>): AgentRecord {
  return {
    ...agentRecordSchema.parse({
      id: id(0),
      handle: 'somebody',
      display_name: 'Somebody',
      subtitle: null,
      description: null,
      category: null,
      skills: [],
      image_url: null,
      visibility: 'public',
      accepts_tasks: false,
      created_at: '2026-11-30T09:30:00.000Z',
      updated_at: '2026-11-30T09:30:00.000Z',
      tokens: [],
    }),
    ...fields,
  };
}

describe('wordsOf', () => {
  it.each([
    ['Please translate this into French!', ['translat', 'french']],
    ['Translator, translations, TRANSLATES', ['translat', 'translat', 'translat']],
    ['acme_support', ['acm', 'support']],
    ['Café crème', ['cafe', 'creme'].map((word) => wordsOf(word)[0])],
    ['ﬁle № 12', ['file', 'no', '12'].flatMap(wordsOf)],
    ['東京の天気を調べる', ['東京', '天気']],
    ['привет мир', ['привет', 'мир']],
    ['!?, … 🙂', []],
    ['what can you do for me', []],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual(expect.arrayContaining(words));
    if (words.length === 0) expect(wordsOf(text)).toEqual([]);
  });

  it('finds the same words whatever the case, the accents, the spaces and the order of texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(fold(fold(a))).toBe(fold(a));
        expect(wordsOf(a.normalize('NFD'))).toEqual(wordsOf(a));
        expect(wordsOf(`${a}\n${b}`)).toEqual([...wordsOf(a), ...wordsOf(b)]);
      }),
    );
  });

  it('gives words that are short, not empty, and of a search not many and each once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (text) => {
        for (const word of wordsOf(text)) {
          expect(word.length).toBeGreaterThan(0);
          expect(word.length).toBeLessThanOrEqual(64);
        }
        const asked = wordsAskedFor(text);
        expect(asked.length).toBeLessThanOrEqual(24);
        expect(new Set(asked).size).toBe(asked.length);
        expect(wordsOf(text)).toEqual(expect.arrayContaining(asked));
      }),
    );
  });
});

const isFalling = (numbers: readonly number[]) =>
  numbers.every((number, at) => number <= (numbers[at - 1] ?? Infinity));

describe('profileWords', () => {
  const skill = (fields: object) => ({
    id: 'x',
    name: 'x',
    description: 'x',
    tags: [],
    ...fields,
  });

  it('weighs a name more than a skill, a skill more than a description, that more than an example', () => {
    const { words } = profileWords(
      profile({
        display_name: 'Ada',
        description: 'Writes poems.',
        skills: [skill({ name: 'Translate', examples: ['Hurry'] })],
      }),
    );
    const weights = ['Ada', 'translation', 'poem', 'hurry'].map(
      (text) => words.get(wordsOf(text)[0] ?? '') ?? 0,
    );
    expect(isFalling(weights)).toBe(true);
    expect(new Set(weights).size).toBe(4);
  });

  it('knows skills by id, name and tag', () => {
    const { skills } = profileWords(
      profile({ skills: [skill({ id: 'fr-1', name: 'Say it in French', tags: ['Été'] })] }),
    );
    expect(skills).toEqual(['#fr-1', '#say it in french', '#ete']);
    expect(skillKey(' SAY it in French ')).toBe('#say it in french');
  });

  it('keeps what one agent costs within limits, the weightiest words first', () => {
    const texts = fc.array(fc.lorem({ maxCount: 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.lorem({ maxCount: 300 }), (descriptions, description) => {
        const skills = descriptions.map((text, at) =>
          skill({
            id: `s${at}`,
            name: text.slice(0, 20),
            description: text,
            tags: text.split(' '),
          }),
        );
        const found = profileWords(profile({ skills, description }));
        const weights = [...found.words.values()];
        expect(weights.length).toBeLessThanOrEqual(128);
        expect(found.skills.length).toBeLessThanOrEqual(128);
        expect(isFalling(weights)).toBe(true);
        for (const weight of weights) {
          expect(weight).toBeGreaterThan(0);
          expect(weight).toBeLessThanOrEqual(31);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('rank', () => {
  const candidate = (
    number: number,
    weights: readonly number[],
    isVerified = false,
  ): Candidate => ({
    agentId: id(number),
    isVerified,
    weights,
  });
  const order = (candidates: readonly Candidate[], frequencies: readonly number[]) =>
    rank(candidates, measureFor(candidates, 100, frequencies)).map(({ agentId }) => agentId);

  it('puts verified agents first, then those that more and rarer words stand in', () => {
    const candidates = [
      candidate(1, [10, 0]),
      candidate(2, [10, 10]),
      candidate(3, [3, 3], true),
      candidate(4, [3, 10]),
    ];
    expect(order(candidates, [4, 3])).toEqual([id(3), id(2), id(4)]);
  });

  it('leaves out what has less than half of what the best has, verified or not', () => {
    const candidates = [candidate(1, [5, 5, 5]), candidate(2, [0, 0, 10], true)];
    expect(order(candidates, [1, 1, 2])).toEqual([id(1)]);
  });

  const candidates = fc
    .array(
      fc.tuple(
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 3, maxLength: 3 }),
      ),
    )
    .map((list) => list.map(([isVerified, weights], at) => candidate(at, weights, isVerified)));
  const frequencies = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 3, maxLength: 3 });

  it('is a total order that does not depend on the order of what comes in', () => {
    fc.assert(
      fc.property(candidates, frequencies, (list, counts) => {
        const measure = measureFor(list, 100, counts);
        const ranked = rank(list, measure);
        expect(rank([...list.slice(1), ...list.slice(0, 1)], measure)).toEqual(ranked);
        for (const [at, agent] of ranked.entries()) {
          for (const later of ranked.slice(at + 1)) {
            expect(compareRanks(agent, later)).toBeLessThan(0);
            expect(compareRanks(later, agent)).toBeGreaterThan(0);
          }
        }
      }),
    );
  });

  it('keeps every agent where it is when others come and go', () => {
    fc.assert(
      fc.property(candidates, candidates, frequencies, (list, others, counts) => {
        const measure = measureFor(list, 100, counts);
        const newcomers = others.map((other, at) => ({ ...other, agentId: id(1_000 + at) }));
        const known = new Set(list.map(({ agentId }) => agentId));
        const after = rank([...newcomers, ...list], measure);
        expect(after.filter(({ agentId }) => known.has(agentId))).toEqual(rank(list, measure));
      }),
    );
  });

  it('never ranks an agent lower for a word more', () => {
    fc.assert(
      fc.property(candidates, frequencies, fc.nat(2), (list, counts, word) => {
        const [first, ...rest] = list;
        if (!first) return;
        const better = {
          ...first,
          weights: first.weights.map((weight, at) => (at === word ? Math.max(weight, 31) : weight)),
        };
        const measure = measureFor(list, 100, counts);
        const place = (one: Candidate) =>
          rank([one, ...rest], measure).findIndex(({ agentId }) => agentId === one.agentId);
        const [before, after] = [place(first), place(better)];
        if (before >= 0) expect(after).toBeLessThanOrEqual(before);
      }),
    );
  });
});
