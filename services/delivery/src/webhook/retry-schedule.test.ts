import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelay } from './retry-schedule.ts';

const schedule = fc.array(fc.integer({ min: 0, max: 604_800_000 }), {
  minLength: 1,
  maxLength: 20,
});
const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('the pause before the next attempt', () => {
  it('is the scheduled one, a fifth more or less, and none follows the last one', () => {
    fc.assert(
      fc.property(schedule, random, (pauses, chance) => {
        for (const [index, pause] of pauses.entries()) {
          const failed = { attempts: index + 1, retryAfterSeconds: undefined, random: chance };
          const delay = retryDelay(pauses, failed) ?? Number.NaN;
          expect(Math.abs(delay - pause)).toBeLessThanOrEqual(pause * 0.2 + 1);
        }
        const last = { attempts: pauses.length + 1, retryAfterSeconds: undefined, random: chance };
        expect(retryDelay(pauses, last)).toBeUndefined();
      }),
    );
  });

  it('is never shorter for what the receiver asks, and never longer than the bound', () => {
    const asked = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(schedule, random, asked, (pauses, chance, retryAfterSeconds) => {
        const failed = { attempts: 1, random: chance };
        const unasked = retryDelay(pauses, { ...failed, retryAfterSeconds: undefined });
        const delay = retryDelay(pauses, { ...failed, retryAfterSeconds }) ?? Number.NaN;
        const bound = Math.max(600_000, ...pauses);
        expect(delay).toBeGreaterThanOrEqual(unasked ?? Number.NaN);
        expect(delay).toBeGreaterThanOrEqual(Math.min(retryAfterSeconds * 1_000, bound));
        expect(delay).toBeLessThanOrEqual(bound * 1.2 + 1);
      }),
    );
  });
});
