import type { InboxEvent } from '@relay/bus';
import type { ChangeId } from '@relay/protocol';
import { isTracing, recordSpan, spanIdOf } from '@relay/runtime';
import { traceOfEvent } from '../trace-of-event.ts';

/** Each event as it got into its recipient's feed: what is sent of it belongs below it. */
export function recordEvents(changeId: ChangeId, events: readonly InboxEvent[]): void {
  if (!isTracing()) return;
  for (const { eventId, type, at, bytes } of events) {
    recordSpan({
      name: `event ${type}`,
      kind: 'internal',
      traceId: traceOfEvent(bytes),
      spanId: spanIdOf(eventId),
      parentId: spanIdOf(changeId),
      startedAt: at,
      attributes: { 'relay.event_id': eventId, 'relay.change_id': changeId },
    });
  }
}
