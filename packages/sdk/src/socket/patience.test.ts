import { beforeEach, describe, expect, it } from 'vitest';
import { Backoff } from '../http/backoff.ts';
import { Patience } from './patience.ts';

const lost = { kind: 'lost', error: new Error('closed') } as const;
const handlerFailed = { kind: 'handler_failed', error: new Error('not now') } as const;

describe('Patience', () => {
  let patience: Patience;

  beforeEach(() => {
    patience = new Patience(new Backoff(500, 30_000, () => 1));
  });

  it('waits longer from try to try, and anew after a connection that was made', () => {
    expect([patience.waitAfter(lost), patience.waitAfter(lost)]).toEqual([500, 1000]);
    patience.connected();
    expect(patience.waitAfter(lost)).toBe(500);
  });

  it('waits longer while a handler fails, although each connection is made', () => {
    const waits = [1, 2, 3].map(() => {
      patience.connected();
      return patience.waitAfter(handlerFailed);
    });
    expect(waits).toEqual([500, 1000, 2000]);
    patience.acknowledged();
    expect(patience.waitAfter(lost)).toBe(500);
  });

  it('waits at least as long as Relay asks, and never all that were asked to at once equally long', () => {
    const refused = { ...lost, waitMilliseconds: 30_000 };
    const waits = [0, 0.5].map((random) =>
      new Patience(new Backoff(500, 30_000, () => random)).waitAfter(refused),
    );
    expect(waits).toEqual([30_000, 30_250]);
  });
});
