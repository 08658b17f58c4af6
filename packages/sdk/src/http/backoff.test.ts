import { describe, expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

describe('Backoff', () => {
  it('doubles its ceiling from 0.5 s to 30 s', () => {
    const backoff = new Backoff(500, 30_000, () => 1);
    const waits = Array.from({ length: 9 }, () => backoff.next());
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('takes any part of the ceiling', () => {
    const backoff = new Backoff(500, 30_000, () => 0);
    expect(backoff.next()).toBe(0);
  });

  it('begins again after a reset', () => {
    const backoff = new Backoff(500, 30_000, () => 1);
    backoff.next();
    backoff.next();
    backoff.reset();
    expect(backoff.next()).toBe(500);
  });
});
