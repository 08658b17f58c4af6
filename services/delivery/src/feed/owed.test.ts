import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximumOwedRanges, mergeOwed, type OwedRange, owedAfter } from './owed.ts';
import { isAfter, type Place } from './position.ts';

const eventsInMessage = 3;
const at = (event: number): Place => ({
  sequence: 1 + Math.floor(event / eventsInMessage),
  index: event % eventsInMessage,
});
const covers = (ranges: readonly OwedRange[], place: Place) =>
  ranges.some(({ from, through }) => !isAfter(from, place) && !isAfter(place, through));

const range = (span: number) =>
  fc
    .tuple(fc.nat(span), fc.nat(4))
    .map(([from, length]): OwedRange => ({ from: at(from), through: at(from + length) }));
const places = (span: number) => Array.from({ length: span + 5 }, (_, event) => at(event));

function expectInOrder(ranges: readonly OwedRange[]): void {
  for (const [index, { from, through }] of ranges.entries()) {
    expect(isAfter(from, through)).toBe(false);
    expect(isAfter(from, ranges[index - 1]?.through ?? null)).toBe(true);
  }
}

describe('owed ranges', () => {
  it('hold what was given, and nothing else while they are few', () => {
    const ranges = fc.array(range(60), { maxLength: 40 });
    fc.assert(
      fc.property(ranges, (given) => {
        const merged = mergeOwed(given);
        expectInOrder(merged);
        for (const place of places(60)) expect(covers(merged, place)).toBe(covers(given, place));
      }),
    );
  });

  it('hold at least what was given when they are too many, and close the smallest gaps', () => {
    const single = (sequence: number): OwedRange => ({
      from: { sequence, index: 0 },
      through: { sequence, index: 0 },
    });
    const sequences = fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), {
      minLength: maximumOwedRanges + 1,
      maxLength: maximumOwedRanges + 50,
      size: 'max',
    });
    fc.assert(
      fc.property(sequences, (given) => {
        const merged = mergeOwed(given.map(single));
        expectInOrder(merged);
        expect(merged).toHaveLength(maximumOwedRanges);
        for (const sequence of given) expect(covers(merged, { sequence, index: 0 })).toBe(true);
      }),
      { numRuns: 20 },
    );
    const far = Array.from({ length: maximumOwedRanges }, (_, n) => single(10 * n + 1));
    expect(mergeOwed([...far, single(3)])).toContainEqual({
      from: { sequence: 1, index: 0 },
      through: { sequence: 3, index: 0 },
    });
  });

  it('lose what is delivered, from the first on', () => {
    const ranges = fc.array(range(60), { maxLength: 40 }).map(mergeOwed);
    fc.assert(
      fc.property(ranges, fc.nat(65), (owed, event) => {
        const done = at(event);
        const left = owedAfter(owed, done);
        expectInOrder(left);
        for (const place of places(60)) {
          expect(covers(left, place)).toBe(covers(owed, place) && isAfter(place, done));
        }
      }),
    );
  });
});
