import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

describe('Heartbeat', () => {
  const onSilence = vi.fn<() => void>();
  const ping = vi.fn<() => void>();
  let heartbeat: Heartbeat;

  beforeEach(() => {
    vi.useFakeTimers();
    onSilence.mockClear();
    ping.mockClear();
    heartbeat = new Heartbeat(onSilence);
  });

  afterEach(() => {
    heartbeat.stop();
    vi.useRealTimers();
  });

  it('pings in its interval', () => {
    heartbeat.start(30_000, ping);
    vi.advanceTimersByTime(59_999);
    expect(ping).toHaveBeenCalledTimes(1);
  });

  it('notices 60 s without an answer', () => {
    heartbeat.start(30_000, ping);
    vi.advanceTimersByTime(30_000);
    heartbeat.answered();
    vi.advanceTimersByTime(59_999);
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  it('notices that nothing ever came', () => {
    vi.advanceTimersByTime(60_000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  it('is silent when stopped', () => {
    heartbeat.start(30_000, ping);
    heartbeat.stop();
    vi.advanceTimersByTime(120_000);
    expect(ping).not.toHaveBeenCalled();
    expect(onSilence).not.toHaveBeenCalled();
  });
});
