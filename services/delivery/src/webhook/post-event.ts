import type { AttemptOutcome } from '@relay/outbound';
import { isTracing, makeSpanId, recordSpan, spanIdOf } from '@relay/runtime';
import type { AttemptTime } from './subscriptions/attempt.ts';
import type { WebhookContext } from './webhook-context.ts';

const answerBytes = 512;

interface EventToPost extends AttemptTime {
  /** What its span is called. */
  readonly name: 'webhook' | 'push';
  readonly traceId: string;
  readonly eventId: string;
  /** Of its task or chat. */
  readonly revision: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** POSTs an event once, as a part of the trace of what caused it. */
export async function postEvent(
  { outbound, timeoutMilliseconds }: Pick<WebhookContext, 'outbound' | 'timeoutMilliseconds'>,
  event: EventToPost,
): Promise<AttemptOutcome> {
  const { eventId, traceId, revision, url, headers, body } = event;
  const spanId = isTracing() ? makeSpanId() : spanIdOf(eventId);
  const outcome = await outbound.post({
    url,
    headers: Object.assign({}, headers, {
      'relay-task-revision': String(revision),
      traceparent: `00-${traceId}-${spanId}-01`,
    }),
    body,
    limits: { milliseconds: timeoutMilliseconds, answerBytes },
  });
  recordAttempt(event, spanId, outcome);
  return outcome;
}

function recordAttempt(event: EventToPost, spanId: string, { kind }: AttemptOutcome): void {
  if (!isTracing()) return;
  const { name, traceId, eventId, startedAt, number, url } = event;
  recordSpan({
    name,
    kind: 'client',
    traceId,
    spanId,
    parentId: spanIdOf(eventId),
    startedAt,
    failure: kind === 'delivered' ? undefined : kind,
    attributes: {
      'server.address': new URL(url).hostname,
      'relay.event_id': eventId,
      'relay.attempt': number,
    },
  });
}
