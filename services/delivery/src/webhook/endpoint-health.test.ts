import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EndpointHealth, maximumSlots } from './endpoint-health.ts';

const schedule = [2_000, 4_000, 600_000];

function afterFailures(count: number): EndpointHealth {
  const health = new EndpointHealth(schedule);
  for (let n = 0; n < count; n += 1) health.failed(1_000, 0);
  return health;
}

describe('an endpoint', () => {
  it('rests after ten failures in a row, each time longer, as far as a minute', () => {
    expect(afterFailures(9)).toMatchObject({ slots: maximumSlots, restUntil: 0 });
    const health = afterFailures(10);
    expect(health).toMatchObject({ slots: 1, restUntil: 3_000, isFailing: true });
    health.failed(2_000, 0);
    expect(health.restUntil).toBe(3_000);
    health.failed(3_000, 0);
    expect(health.restUntil).toBe(7_000);
    health.failed(7_000, 0);
    expect(health.restUntil).toBe(67_000);
  });

  it('is given 1, 2, 4, 8 events at once when it answers again', () => {
    const health = afterFailures(10);
    const slots = [0, 1, 2, 3, 4].map(() => {
      health.answered();
      return health.slots;
    });
    expect(slots).toEqual([1, 2, 4, 8, 8]);
  });

  it('rests as long as it asks to', () => {
    const health = new EndpointHealth(schedule);
    health.failed(0, 5_000);
    expect(health).toMatchObject({ restUntil: 5_000, slots: maximumSlots });
  });

  it('always has a slot, never more than eight, and never rests for longer than a minute unasked', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (outcomes) => {
        const health = new EndpointHealth(schedule);
        for (const [now, isAnswered] of outcomes.entries()) {
          if (isAnswered) health.answered();
          else health.failed(now, 0);
          expect(health.slots).toBeGreaterThanOrEqual(1);
          expect(health.slots).toBeLessThanOrEqual(maximumSlots);
          expect(health.restUntil).toBeLessThanOrEqual(now + 60_000);
        }
      }),
    );
  });
});
