import {
  deliveryChangeId,
  isDeadLetterOf,
  readDelivery,
  readDeliveryAttempts,
  type StreamMessage,
  textOf,
} from '@relay/bus';
import { failedEventOf } from '@relay/domain';
import { type ChangeId, eventEnvelopeSchema, timestampAt } from '@relay/protocol';
import { eventsByRecipient } from './recipients.ts';

interface DeadLetterChange {
  readonly changeId: ChangeId;
  readonly recipients: ReturnType<typeof eventsByRecipient>;
}

/**
 * A record of a delivery as a change that an agent hears of: the sender of a message hears when a webhook of
 * one that was to get it has failed for good. Nobody hears of anything else.
 */
export function readDeadLetter(message: StreamMessage): DeadLetterChange {
  const changeId = deliveryChangeId(message);
  const nobody = { changeId, recipients: new Map() };
  if (!isDeadLetterOf(message, 'message.received')) return nobody;
  const { revision, deadLetteredAt, hasBody } = readDelivery(message);
  // What was gone before it could be sent is 30 days old.
  if (!hasBody || deadLetteredAt === null) return nobody;
  const event = eventEnvelopeSchema.parse(JSON.parse(textOf(message.data)));
  if (event.event_type !== 'message.received') return nobody;
  const last = readDeliveryAttempts(message).at(-1);
  const failed = failedEventOf(event, {
    id: changeId,
    at: timestampAt(deadLetteredAt),
    httpStatus: last?.http_status ?? null,
    errorCode: last?.error_code ?? null,
  });
  const about = { lane: event.data.chat_id, revision, at: deadLetteredAt };
  return { changeId, recipients: eventsByRecipient([failed], about) };
}
