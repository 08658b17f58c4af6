import {
  type DeliveryAttempts,
  type DeliveryKey,
  type DeliveryRecord,
  readDelivery,
  readDeliveryAttempts,
  readDeliveryKey,
  type StreamMessage,
} from '@relay/bus';
import {
  subscriptionIdSchema,
  timestampAt,
  type WebhookDelivery,
  type WebhookDeliveryId,
  webhookDeliveryIdSchema,
} from '@relay/protocol';
import { placeKey } from '../queued-delivery.ts';

/** What DELIVERIES keeps after the last write. */
const keptMilliseconds = 30 * 86_400_000;

/** A delivery as it is stored. */
export interface StoredDelivery {
  readonly key: DeliveryKey;
  readonly record: DeliveryRecord;
  readonly attempts: DeliveryAttempts;
  readonly sequence: number;
}

export function readStored(message: StreamMessage): StoredDelivery {
  return {
    key: readDeliveryKey(message),
    record: readDelivery(message),
    attempts: readDeliveryAttempts(message),
    sequence: message.sequence,
  };
}

export function deliveryIdOf(key: DeliveryKey): WebhookDeliveryId {
  return webhookDeliveryIdSchema.parse(`${key.subscriptionId}_${placeKey(key)}`);
}

/** The delivery that an id names, for an agent. */
export function keyOfDelivery(
  agentId: DeliveryKey['agentId'],
  deliveryId: WebhookDeliveryId,
): DeliveryKey {
  const [subscriptionId, sequence, index] = deliveryId.split('_');
  return {
    agentId,
    subscriptionId: subscriptionIdSchema.parse(subscriptionId),
    sequence: Number(sequence),
    index: Number(index),
  };
}

/** A delivery as its agent is shown it. */
export function toDelivery({ key, record, attempts }: StoredDelivery): WebhookDelivery {
  const { createdAt, lastAttemptAt, deadLetteredAt } = record;
  const writtenAt = Math.max(createdAt, lastAttemptAt ?? 0, deadLetteredAt ?? 0);
  return {
    object: 'webhook_delivery',
    id: deliveryIdOf(key),
    subscription_id: record.push ? null : key.subscriptionId,
    push_config: record.push ? { task_id: record.push.taskId, id: record.push.configId } : null,
    event_id: record.eventId,
    event_type: record.type,
    status: record.status,
    attempt_count: record.attemptCount,
    attempts,
    next_attempt_at: timeOrNull(record.nextAttemptAt),
    first_attempt_at: timeOrNull(record.firstAttemptAt),
    last_attempt_at: timeOrNull(lastAttemptAt),
    dead_lettered_at: timeOrNull(deadLetteredAt),
    created_at: timestampAt(createdAt),
    expires_at: timestampAt(writtenAt + keptMilliseconds),
  };
}

function timeOrNull(milliseconds: number | null) {
  return milliseconds === null ? null : timestampAt(milliseconds);
}
