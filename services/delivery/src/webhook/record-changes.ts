import type { DeliveryRecord, DeliveryToWrite } from '@relay/bus';
import type { DeliveryAttempt } from '@relay/protocol';
import type { LoadedDelivery } from './delivery-records.ts';

type Written = Omit<DeliveryToWrite, 'key'>;

/** How many attempts a record shows; their count goes on. */
const shownAttempts = 20;
const nothing = Buffer.alloc(0);

/** The delivery with one more failed attempt. */
export function withAttempt(loaded: LoadedDelivery, attempt: DeliveryAttempt): LoadedDelivery {
  const { record, attempts } = loaded;
  const startedAt = Date.parse(attempt.started_at);
  return {
    ...loaded,
    record: {
      ...record,
      attemptCount: record.attemptCount + 1,
      roundAttempts: record.roundAttempts + 1,
      firstAttemptAt: record.firstAttemptAt ?? startedAt,
      lastAttemptAt: startedAt,
    },
    attempts: [...attempts, attempt].slice(-shownAttempts),
  };
}

/** It waits for its next attempt. @param at milliseconds since the epoch */
export function asPending(loaded: LoadedDelivery, at: number): Written {
  return written(loaded, { status: 'pending', nextAttemptAt: at }, loaded.record.hasBody);
}

/** It waits for its endpoint to be turned on, and for somebody to redrive it. */
export function asHeld(loaded: LoadedDelivery): Written {
  return written(loaded, { status: 'held', nextAttemptAt: null }, loaded.body !== undefined);
}

/** It is given up. @param now milliseconds since the epoch */
export function asDeadLetter(loaded: LoadedDelivery, now: number): Written {
  const change = { status: 'dead_letter', nextAttemptAt: null, deadLetteredAt: now } as const;
  return written(loaded, change, loaded.body !== undefined);
}

/** What was held or given up begins a new round. @param at when, in milliseconds since the epoch */
export function asRedriven(loaded: LoadedDelivery, at: number): Written {
  const change = { status: 'pending', nextAttemptAt: at, deadLetteredAt: null } as const;
  return written(loaded, { roundAttempts: 0, isRedriven: true, ...change }, loaded.record.hasBody);
}

function written(
  { record, attempts, body = nothing }: LoadedDelivery,
  change: Partial<DeliveryRecord>,
  hasBody: boolean,
): Written {
  return { record: { ...record, ...change, hasBody }, attempts, body: hasBody ? body : nothing };
}
