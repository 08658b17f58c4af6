import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocalCounts } from './local-counts.ts';
import type { Window } from './window.ts';

const window = (fields: Partial<Window> = {}): Window => ({
  key: 'k',
  limit: 3,
  milliseconds: 1_000,
  ...fields,
});

/** Which of the messages are taken, and for how long the others are told to wait. */
function take(messages: readonly { readonly at: number; readonly windows: readonly Window[] }[]) {
  const counts = new LocalCounts();
  return messages.map(({ at, windows }) => {
    const full = counts.full(windows, at);
    if (!full) counts.count(windows, at);
    return full?.wait ?? 0;
  });
}

const at = (times: readonly number[], ...windows: Window[]) =>
  times.map((time) => ({ at: time, windows }));

describe('a window', () => {
  it('takes exactly its limit, and the next one when the first has left it', () => {
    expect(take(at([0, 10, 20, 30, 999, 1_000, 1_005, 1_010], window()))).toEqual([
      0, 0, 0, 970, 1, 0, 5, 0,
    ]);
  });

  it('counts nothing of a message that another window refuses', () => {
    const [narrow, wide] = [window({ key: 'narrow', limit: 1 }), window({ limit: 2 })];
    const sent = [...at([0, 1, 2], narrow, wide), ...at([3, 4], wide)];
    expect(take(sent).map((wait) => wait > 0)).toEqual([false, true, true, false, true]);
  });

  it('never has more messages within its time than its limit, and refuses none that has room', () => {
    const times = fc.array(fc.nat(300), { maxLength: 60 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 6 }), (pauses, limit) => {
        let now = 0;
        const sent = pauses.map((pause) => (now += pause));
        const taken: number[] = [];
        const expected = sent.map((time) => {
          const isTaken = taken.filter((earlier) => earlier > time - 1_000).length < limit;
          if (isTaken) taken.push(time);
          return isTaken;
        });
        const isTaken = take(at(sent, window({ limit }))).map((wait) => wait === 0);
        expect(isTaken).toEqual(expected);
      }),
    );
  });
});

describe('a window of turns', () => {
  const turn = (turnOf: string) => window({ turnOf, milliseconds: 60_000 });
  const waits = (senders: string) =>
    take(senders.split('').map((sender, place) => ({ at: place * 10, windows: [turn(sender)] })));

  it('counts who answers the other, not who goes on', () => {
    expect(waits('aaaaaaaa').every((wait) => wait === 0)).toBe(true);
    expect(waits('aaabbaab')).toEqual([0, 0, 0, 0, 0, 0, 0, 60_000 - 70]);
    expect(waits('abab')).toEqual([0, 0, 0, 60_000 - 30]);
  });

  it('lets who wrote last go on after the other was refused', () => {
    expect(waits('ababaa').map((wait) => wait > 0)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });
});
