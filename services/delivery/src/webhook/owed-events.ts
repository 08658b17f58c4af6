import { type Bus, readDelivery, readDeliveryKey } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { FeedRecord } from '../feed/feed-record.ts';
import { mergeOwed, type OwedRange } from '../feed/owed.ts';
import { isAfter } from '../feed/position.ts';
import { scanDeliveries } from './scan-deliveries.ts';

/**
 * The events before an agent's position that its webhooks still owe it: those that wait or are held. Dead
 * letters stay what they are. Whoever read the record writes it by compare-and-set after: then no event
 * is recorded and passed by in between.
 * @throws RelayError unavailable
 */
export async function readOwed(
  bus: Bus,
  agentId: AgentId,
  { position }: Pick<FeedRecord, 'position'>,
): Promise<readonly OwedRange[]> {
  const owed: OwedRange[] = [];
  await scanDeliveries(bus, agentId, (message) => {
    const { status, push } = readDelivery(message);
    // What is pushed is no event of the feed.
    if (status === 'dead_letter' || push) return;
    const { sequence, index } = readDeliveryKey(message);
    const place = { sequence, index };
    if (!isAfter(place, position)) owed.push({ from: place, through: place });
  });
  return mergeOwed(owed);
}
