import { type ChangeId, type EventEnvelope, type Timestamp, traceIdSchema } from '@relay/protocol';
import { eventHeader } from '../event-header.ts';

/** What Relay's own failures are called in events (contract §4.4). */
const failedCode = 3006;

type EventOf<Type extends EventEnvelope['event_type']> = Extract<
  EventEnvelope,
  { event_type: Type }
>;

/** A webhook that did not take an event, when it was given up. */
export interface FailedDelivery {
  /** The same for this delivery whenever it is read. */
  readonly id: ChangeId;
  readonly at: Timestamp;
  /** Of the last answer; null where there was none. */
  readonly httpStatus: number | null;
  /** What was wrong where there was no answer. */
  readonly errorCode: string | null;
}

/** Tells the sender of a message that a recipient's webhook did not take it. */
export function failedEventOf(
  { trace_id, data }: EventOf<'message.received'>,
  { id, at, httpStatus, errorCode }: FailedDelivery,
): EventOf<'message.failed'> {
  const traceId = traceIdSchema.parse(trace_id);
  return {
    ...eventHeader({ id, traceId, at }, data.from_handle.id, 'message.failed'),
    data: {
      chat_id: data.chat_id,
      message_id: data.id,
      code: failedCode,
      reason: httpStatus === null ? (errorCode ?? 'not sent') : `HTTP ${httpStatus}`,
      detail_code: httpStatus,
      failed_at: at,
    },
  };
}
