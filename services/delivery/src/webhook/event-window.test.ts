import type { InboxMessage } from '@relay/bus';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteBudget } from '../feed/byte-budget.ts';
import { allEvents } from '../feed/event-sink.ts';
import { EventWindow } from './event-window.ts';

/** When each endpoint that wants an event passes it: while it is given it, or later, and in which order. */
const passingArbitrary = fc.array(
  fc.array(fc.record({ isAtOnce: fc.boolean(), turn: fc.nat() }), { maxLength: 4 }),
  { minLength: 1, maxLength: 40 },
);

function message(sequence: number): InboxMessage {
  const event = {
    eventId: String(sequence),
    type: 'task.created' as const,
    lane: 'task',
    revision: 1,
    at: 0,
    bytes: Buffer.alloc(1),
  };
  return { sequence, previous: 0, events: [event] };
}

it('is behind the last event when all endpoints have passed all, at once or later, in any order', () => {
  fc.assert(
    fc.property(passingArbitrary, (passing) => {
      const later: { turn: number; onPassed: () => void }[] = [];
      const window = new EventWindow({
        budget: new ByteBudget(1_000),
        isFull: () => false,
        dispatch: (_event, { sequence }, onPassed) => {
          const endpoints = passing[sequence - 1] ?? [];
          for (const { isAtOnce, turn } of endpoints) {
            if (isAtOnce) onPassed();
            else later.push({ turn, onPassed });
          }
          return endpoints.length;
        },
      });
      for (const index of passing.keys()) window.take(message(index + 1), allEvents);
      later.sort((one, other) => one.turn - other.turn);
      for (const { onPassed } of later) onPassed();
      expect(window.isEmpty).toBe(true);
      expect(window.done?.sequence).toBe(passing.length);
    }),
  );
});
