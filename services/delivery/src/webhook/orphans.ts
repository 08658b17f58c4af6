import { feedKey, type Lease, readDelivery, readDeliveryKey, type StreamMessage } from '@relay/bus';
import type { AgentId, SubscriptionId } from '@relay/protocol';
import { feedRecordSchema, isAhead } from '../feed/feed-record.ts';
import type { Place } from '../feed/position.ts';
import { DeliveryRecords } from './delivery-records.ts';
import { queuedRecord } from './queued-delivery.ts';
import { asDeadLetter } from './record-changes.ts';
import { scanDeliveries } from './scan-deliveries.ts';
import { readInboxBody } from './subscription-channel.ts';
import type { WebhookContext } from './webhook-context.ts';
import { whileHeld } from './while-held.ts';

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
  const { agentId, subscriptionId } = readDeliveryKey(message);
  const bodies = { readBody: (place: Place) => readInboxBody(context.bus, agentId, place) };
  const records = new DeliveryRecords(context, lease, { agentId, subscriptionId }, bodies);
  const delivery = queuedRecord(message);
  // What was redriven after the deletion was never owed.
  const isStillOwed = () => isStillAhead(context, agentId, delivery.place);
  const goesOn =
    isOwed && (!delivery.isRedriven || (await whileHeld(context.pause, lease, isStillOwed)));
  if (goesOn) return records.remove(delivery);
  const loaded = await records.load(delivery);
  if (loaded !== 'gone' && loaded !== 'lost') {
    await records.write(delivery, asDeadLetter(loaded, Date.now()));
  }
}

async function isStillAhead(
  { records }: Pick<WebhookContext, 'records'>,
  agentId: AgentId,
  place: Place,
): Promise<boolean> {
  const feed = await records.get(feedKey(agentId));
  return !feed || isAhead(feed.value, place);
}

interface Deletion {
  readonly agentId: AgentId;
  readonly deleted: ReadonlySet<SubscriptionId>;
}

/**
 * What is held for subscriptions that were deleted: no endpoint knows of it any more. Waits for NATS, as long
 * as the lease is held.
 */
export async function findHeld(
  { bus, pause }: Pick<WebhookContext, 'bus' | 'pause'>,
  lease: Lease,
  { agentId, deleted }: Deletion,
): Promise<readonly StreamMessage[]> {
  const found = new Map<string, StreamMessage>();
  const take = (message: StreamMessage) => {
    const isHeld = readDelivery(message).status === 'held';
    if (isHeld && deleted.has(readDeliveryKey(message).subscriptionId)) {
      found.set(message.subject, message);
    }
  };
  await whileHeld(pause, lease, () => scanDeliveries(bus, agentId, take));
  return [...found.values()];
}

/** The subscriptions that a feed record has and a later one has not, as they are stored. */
export function deletedBetween(
  before: StreamMessage,
  after: StreamMessage,
): ReadonlySet<SubscriptionId> {
  // Most records are written for the position alone, and there are many.
  if (subscriptionsText(before).equals(subscriptionsText(after))) return new Set();
  const kept = new Set(subscriptionIds(after));
  return new Set(subscriptionIds(before).filter((id) => !kept.has(id)));
}

/** All from there on: in most records nothing follows. */
function subscriptionsText({ data }: StreamMessage): Buffer {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return text.subarray(Math.max(0, text.indexOf('"subscriptions":')));
}

function subscriptionIds({ data }: StreamMessage): SubscriptionId[] {
  if (data.length === 0) return [];
  const json: unknown = JSON.parse(Buffer.from(data).toString());
  return feedRecordSchema.parse(json).subscriptions.map(({ id }) => id);
}
