import type { DeliveryRecord, InboxEvent } from '@relay/bus';
import { Counter, Gauge, Histogram } from '@relay/runtime';
import type { Sent } from './send-event.ts';

/** What is on its way to one endpoint. */
export interface Pending {
  readonly count: number;
  /** Of the oldest, in milliseconds since the epoch; Infinity where there is none. */
  readonly since: number;
}

type ShowPending = () => readonly Pending[];

const attempts = new Counter({
  name: 'relay_webhook_attempts_total',
  help: 'Attempts to deliver an event to a webhook, by outcome.',
  labelNames: ['outcome'],
});

const ended = new Counter({
  name: 'relay_webhook_undelivered_total',
  help: 'Events that were held for a webhook that is off, or given up as dead letters.',
  labelNames: ['status'],
});

// A series that begins with its first count shows no increase by it.
for (const status of ['held', 'dead_letter']) ended.inc({ status }, 0);

const firstAttempts = new Histogram({
  name: 'relay_webhook_first_attempt_seconds',
  help: 'From the change that an event tells of to the first attempt to deliver it.',
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600],
});

const shown = new Set<ShowPending>();

const pending = new Gauge({
  name: 'relay_webhook_pending',
  help: 'Events on their way to webhooks here, in flight or waiting for their next attempt.',
  collect: () => {
    const all = [...shown].flatMap((show) => show());
    const now = Date.now();
    pending.set(all.reduce((sum, { count }) => sum + count, 0));
    oldestPending.set(
      (now - all.reduce((oldest, { since }) => Math.min(oldest, since), now)) / 1_000,
    );
  },
});

/** Set with the one before it. */
const oldestPending = new Gauge({
  name: 'relay_webhook_oldest_pending_seconds',
  help: 'Age of the oldest of them; 0 without any.',
});

export function countAttempt(outcome: Sent['kind']): void {
  attempts.inc({ outcome });
}

export function countEnded(status: DeliveryRecord['status']): void {
  ended.inc({ status });
}

export function observeFirstAttempt({ at }: InboxEvent): void {
  firstAttempts.observe(Math.max(0, Date.now() - at) / 1_000);
}

/** @returns a function after which it is shown no longer */
export function showPending(show: ShowPending): () => void {
  shown.add(show);
  return () => shown.delete(show);
}
