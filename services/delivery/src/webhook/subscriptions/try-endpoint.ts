import { randomUUID } from 'node:crypto';
import type { Outbound } from '@relay/outbound';
import { type AgentId, type DeliveryAttempt, eventTypes, type Timestamp } from '@relay/protocol';
import { spanIdOf } from '@relay/runtime';
import { notOpened } from '../send-event.ts';
import type { SubscriptionRecord } from '../subscription.ts';
import { toDeliveryAttempt } from './attempt.ts';
import { type Endpoint, signedHeaders } from './endpoint.ts';
import { makeUpEvent } from './made-up-event.ts';
import { secretsOf } from './without-secrets.ts';

/** Time for the answer to come back to who asked. */
const reserveMilliseconds = 1_000;
const answerBytes = 1_024;

interface Trial {
  /** Undefined where its secrets cannot be opened. */
  readonly endpoint: Endpoint | undefined;
  readonly subscription: SubscriptionRecord;
  readonly agentId: AgentId;
  readonly at: Timestamp;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** As for a delivery, which would fail after it. */
  readonly timeoutMilliseconds: number;
}

/** Sends one made-up event of a subscribed type, with the header `relay-test: true`, and tells what came of it. */
export async function tryEndpoint(
  outbound: Outbound,
  { endpoint, subscription, agentId, at, deadline, timeoutMilliseconds }: Trial,
): Promise<DeliveryAttempt> {
  const startedAt = Date.now();
  if (!endpoint) return notOpened({ number: 1, startedAt }).attempt;
  const [type = eventTypes[0]] = subscription.subscribedEvents;
  const eventId = randomUUID();
  const traceId = randomUUID().replaceAll('-', '');
  const body = JSON.stringify(makeUpEvent(type, { eventId, traceId, agentId, at }));
  const remaining = Math.max(1, deadline - startedAt - reserveMilliseconds);
  const outcome = await outbound.post({
    url: endpoint.url,
    headers: {
      ...signedHeaders(endpoint, { id: eventId, body }, startedAt),
      'relay-test': 'true',
      traceparent: `00-${traceId}-${spanIdOf(eventId)}-01`,
    },
    body,
    limits: { milliseconds: Math.min(timeoutMilliseconds, remaining), answerBytes },
  });
  return toDeliveryAttempt(outcome, secretsOf(endpoint), { number: 1, startedAt });
}
