import { type Bus, readDelivery, readDeliveryKey } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import { mergeOwed, type OwedRange } from '../feed/owed.ts';
import { scanDeliveries } from './scan-deliveries.ts';

/**
 * The events that an agent's webhooks still owe it: those that wait or are held, whatever its position.
 * Dead letters stay what they are. Read the agent's feed record before, and write it by compare-and-set
 * after: then no event is recorded and passed by in between.
 * @throws RelayError unavailable
 */
export async function readOwed(bus: Bus, agentId: AgentId): Promise<readonly OwedRange[]> {
  const owed: OwedRange[] = [];
  await scanDeliveries(bus, agentId, (message) => {
    if (readDelivery(message).status === 'dead_letter') return;
    const { sequence, index } = readDeliveryKey(message);
    const place = { sequence, index };
    owed.push({ from: place, through: place });
  });
  return mergeOwed(owed);
}
