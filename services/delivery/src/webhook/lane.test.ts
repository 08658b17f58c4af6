import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAfter } from '../feed/position.ts';
import { Lane } from './lane.ts';
import { queuedEvent } from './queued-delivery.ts';

const place = fc.record({
  sequence: fc.integer({ min: 1, max: 20 }),
  index: fc.integer({ min: 0, max: 3 }),
});
const places = fc.uniqueArray(place, { selector: ({ sequence, index }) => `${sequence}_${index}` });
const event = {
  eventId: 'event',
  type: 'task.created',
  lane: 'lane',
  revision: 1,
  at: 0,
  bytes: Buffer.alloc(0),
} as const;
const delivery = (at: { sequence: number; index: number }) =>
  queuedEvent(event, at, () => undefined);

it('a lane keeps its deliveries in the order of the feed, in whatever order they come', () => {
  fc.assert(
    fc.property(places, (all) => {
      const lane = new Lane('lane');
      for (const each of all) lane.insert(delivery(each));
      const inLane = lane.deliveries.map((each) => each.place);
      for (const [at, each] of inLane.entries()) {
        expect(at === 0 || isAfter(each, inLane[at - 1] ?? null)).toBe(true);
      }
      expect(inLane).toHaveLength(all.length);
    }),
  );
});

it('nothing comes before the delivery that is in flight', () => {
  const lane = new Lane('lane');
  const inFlight = delivery({ sequence: 5, index: 0 });
  lane.insert(inFlight);
  inFlight.isInFlight = true;
  lane.insert(delivery({ sequence: 9, index: 0 }));
  lane.insert(delivery({ sequence: 2, index: 0 }));
  expect(lane.head).toBe(inFlight);
  expect(lane.deliveries.map(({ place: { sequence } }) => sequence)).toEqual([5, 2, 9]);
});

it('records of a lane are written one after the other, also after one that failed', async () => {
  const lane = new Lane('lane');
  const written: string[] = [];
  const write = (name: string, outcome: Promise<void>) => async () => {
    written.push(`begin ${name}`);
    await outcome;
    written.push(`end ${name}`);
  };
  const first = lane.record(write('first', Promise.reject(new Error('no'))));
  const second = lane.record(write('second', Promise.resolve()));
  await expect(first).rejects.toThrow('no');
  await second;
  expect(written).toEqual(['begin first', 'begin second', 'end second']);
});
