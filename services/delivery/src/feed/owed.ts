import { z } from 'zod';
import { isAfter, type Place, placeSchema } from './position.ts';

/** A stretch of an agent's inbox that lies before its position and is not delivered, both ends included. */
export const owedRangeSchema = z.object({ from: placeSchema, through: placeSchema });
export type OwedRange = Readonly<z.infer<typeof owedRangeSchema>>;

/** A record may hold so many: past it the closest are merged, and what lies between comes again. */
export const maximumOwedRanges = 256;

/** The same events in order, without overlaps, in as few ranges as may be held. */
export function mergeOwed(ranges: readonly OwedRange[]): readonly OwedRange[] {
  const joined: OwedRange[] = [];
  for (const range of ranges.toSorted(byStart)) {
    const last = joined.at(-1);
    if (last && isTouching(last, range)) joined[joined.length - 1] = span(last, range);
    else joined.push(range);
  }
  return mergeClosest(joined, joined.length - maximumOwedRanges);
}

/** What is still owed when everything up to and with an event is delivered. */
export function owedAfter(ranges: readonly OwedRange[], done: Place): readonly OwedRange[] {
  const { sequence, index } = done;
  return ranges
    .filter(({ through }) => isAfter(through, done))
    .map((range) =>
      isAfter(range.from, done) ? range : { ...range, from: { sequence, index: index + 1 } },
    );
}

export function isOwed(ranges: readonly OwedRange[], place: Place): boolean {
  return ranges.some(({ from, through }) => !isAfter(from, place) && !isAfter(place, through));
}

function byStart({ from: one }: OwedRange, { from: other }: OwedRange): number {
  return one.sequence - other.sequence || one.index - other.index;
}

function isTouching({ through }: OwedRange, { from }: OwedRange): boolean {
  return !isAfter(from, { sequence: through.sequence, index: through.index + 1 });
}

/** @param later begins no earlier than the other */
function span(earlier: OwedRange, later: OwedRange): OwedRange {
  const { through } = isAfter(later.through, earlier.through) ? later : earlier;
  return { from: earlier.from, through };
}

/** Closes the smallest gaps between ranges in order. */
function mergeClosest(ranges: readonly OwedRange[], excess: number): readonly OwedRange[] {
  if (excess <= 0) return ranges;
  const gapBefore = (at: number) =>
    (ranges[at]?.from.sequence ?? 0) - (ranges[at - 1]?.through.sequence ?? 0);
  const closest = ranges
    .map((_, at) => at)
    .slice(1)
    .toSorted((one, other) => gapBefore(one) - gapBefore(other));
  const closed = new Set(closest.slice(0, excess));
  const merged: OwedRange[] = [];
  for (const [at, range] of ranges.entries()) {
    const last = merged.at(-1);
    if (last && closed.has(at)) merged[merged.length - 1] = span(last, range);
    else merged.push(range);
  }
  return merged;
}
