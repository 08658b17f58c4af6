import type { InboxEvent } from '@relay/bus';
import { Counter, Histogram } from '@relay/runtime';
import type { Sent } from './send-event.ts';

const attempts = new Counter({
  name: 'relay_webhook_attempts_total',
  help: 'Attempts to deliver an event to a webhook, by outcome.',
  labelNames: ['outcome'],
});

const firstAttempts = new Histogram({
  name: 'relay_webhook_first_attempt_seconds',
  help: 'From the change that an event tells of to the first attempt to deliver it.',
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600],
});

export function countAttempt(outcome: Sent['kind']): void {
  attempts.inc({ outcome });
}

export function observeFirstAttempt({ at }: InboxEvent): void {
  firstAttempts.observe(Math.max(0, Date.now() - at) / 1_000);
}
