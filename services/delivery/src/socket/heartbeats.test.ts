import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Heartbeats } from './heartbeats.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('a socket without a ping for 60 s is silent, and only that one', () => {
  const heartbeats = new Heartbeats();
  const [pinging, silent] = [
    { onSilence: vi.fn<() => void>() },
    { onSilence: vi.fn<() => void>() },
  ];
  heartbeats.beat(pinging);
  heartbeats.beat(silent);
  for (let seconds = 0; seconds < 120; seconds += 30) {
    vi.advanceTimersByTime(30_000);
    heartbeats.beat(pinging);
    expect(silent.onSilence).toHaveBeenCalledTimes(seconds < 30 ? 0 : 1);
  }
  expect(pinging.onSilence).not.toHaveBeenCalled();
  heartbeats.close();
});
