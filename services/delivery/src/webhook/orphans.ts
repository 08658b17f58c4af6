import { type Lease, readDelivery, readDeliveryKey, type StreamMessage } from '@relay/bus';
import type { Place } from '../feed/position.ts';
import { DeliveryRecords } from './delivery-records.ts';
import { queuedRecord } from './queued-delivery.ts';
import { asDeadLetter } from './record-changes.ts';
import { readInboxBody } from './subscription-channel.ts';
import type { WebhookContext } from './webhook-context.ts';

/**
 * Deals with the record of an event whose subscription was deleted.
 * @param orphan whether the agent is owed the event by WebSocket: then its feed says so, and the record
 * goes; else it becomes a dead letter
 */
export async function dropOrphan(
  context: WebhookContext,
  lease: Lease,
  { message, isOwed }: { readonly message: StreamMessage; readonly isOwed: boolean },
): Promise<void> {
  const { agentId, subscriptionId, sequence, index } = readDeliveryKey(message);
  const bodies = { readBody: (place: Place) => readInboxBody(context.bus, agentId, place) };
  const records = new DeliveryRecords(context, lease, { agentId, subscriptionId }, bodies);
  const { lane, createdAt: since } = readDelivery(message);
  const recorded = { recordSequence: message.sequence, since, dueAt: 0 };
  const delivery = queuedRecord({ sequence, index }, lane, recorded);
  if (isOwed) return records.remove(delivery);
  const loaded = await records.load(delivery);
  if (loaded !== 'gone' && loaded !== 'lost') {
    await records.write(delivery, asDeadLetter(loaded, Date.now()));
  }
}
