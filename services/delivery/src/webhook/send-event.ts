import type { AttemptOutcome } from '@relay/outbound';
import { type DeliveryAttempt, timestampAt } from '@relay/protocol';
import { traceOfEvent } from '../trace-of-event.ts';
import { postEvent } from './post-event.ts';
import { type AttemptTime, toDeliveryAttempt } from './subscriptions/attempt.ts';
import { type Endpoint, signedHeaders } from './subscriptions/endpoint.ts';
import { secretsOf } from './subscriptions/without-secrets.ts';
import type { WebhookContext } from './webhook-context.ts';

export interface EventToSend {
  readonly eventId: string;
  /** Of its task or chat. */
  readonly revision: number;
  readonly body: Uint8Array;
  /** Number of this attempt, from 1. */
  readonly number: number;
}

export interface Failed {
  readonly kind: 'retry' | 'rejected';
  readonly attempt: DeliveryAttempt;
  readonly retryAfterSeconds?: number | undefined;
}

/** What came of one attempt. */
export type Sent = { readonly kind: 'delivered' } | Failed;

type Context = Pick<WebhookContext, 'outbound' | 'timeoutMilliseconds'>;

/**
 * POSTs an event once, signed for this moment.
 * @param endpoint undefined where its secrets cannot be opened
 */
export async function sendEvent(
  context: Context,
  endpoint: Endpoint | undefined,
  { eventId, revision, body, number }: EventToSend,
): Promise<Sent> {
  const time = { number, startedAt: Date.now() };
  if (!endpoint) return notOpened(time);
  const outcome = await postEvent(context, {
    name: 'webhook',
    traceId: traceOfEvent(body),
    eventId,
    revision,
    url: endpoint.url,
    headers: signedHeaders(endpoint, { id: eventId, body }, time.startedAt),
    body,
    ...time,
  });
  return toSent(outcome, secretsOf(endpoint), time);
}

/** @param secrets what an answer must not show */
export function toSent(
  outcome: AttemptOutcome,
  secrets: readonly string[],
  time: AttemptTime,
): Sent {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  const attempt = toDeliveryAttempt(outcome, secrets, time);
  if (outcome.kind === 'rejected') return { kind: 'rejected', attempt };
  return { kind: 'retry', attempt, retryAfterSeconds: outcome.retryAfterSeconds };
}

/** What it is to be sent with cannot be opened; the operator may give back the key that sealed it. */
export function notOpened({ number, startedAt }: AttemptTime): Failed {
  const attempt: DeliveryAttempt = {
    number,
    started_at: timestampAt(startedAt),
    finished_at: timestampAt(startedAt),
    outcome: 'retryable_failure',
    http_status: null,
    error_code: 'secret_unreadable',
    error_message: 'No key of RELAY_SECRET_KEY opens the secrets that it is sent with.',
    answer: '',
  };
  return { kind: 'retry', attempt };
}
