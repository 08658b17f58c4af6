import {
  type Bus,
  type DeliveryKey,
  readDelivery,
  readDeliveryKey,
  type StreamMessage,
} from '@relay/bus';
import type { DeliveryCommand } from '@relay/domain';
import { type DeliveriesPage, RelayError, webhookDeliveryIdSchema } from '@relay/protocol';
import { scanDeliveries } from '../scan-deliveries.ts';
import { fits } from './delivery-filter.ts';
import { deliveryIdOf, keyOfDelivery, readStored, toDelivery } from './delivery-view.ts';

/** Those that the page cannot hold are dropped when there are so many times more. */
const slack = 2;

/** Its attempts are read only where it is shown: they are most of it. */
interface Found {
  readonly key: DeliveryKey;
  readonly message: StreamMessage;
}

/**
 * A page of an agent's deliveries, newest event first. It reads the heads of all of them.
 * @throws RelayError invalidParams for a token that is none
 */
export async function listDeliveries(
  bus: Bus,
  { agentId, filter, pageSize, pageToken }: DeliveryCommand<'list-deliveries'>,
): Promise<DeliveriesPage> {
  const after = pageToken === undefined ? undefined : readToken(agentId, pageToken);
  // By subject, of which each delivery has its own: what is read again is another state of the same.
  let found = new Map<string, Found>();
  await scanDeliveries(bus, agentId, (message) => {
    const key = readDeliveryKey(message);
    found.delete(message.subject);
    if (after && !isBehind(key, after)) return;
    if (!fits(filter, key, readDelivery(message))) return;
    found.set(message.subject, { key, message });
    if (found.size > slack * (pageSize + 1)) found = new Map(newest(found, pageSize + 1));
  });
  const each = newest(found, pageSize + 1).map(([, delivery]) => delivery);
  const page = each.slice(0, pageSize);
  const last = page.at(-1);
  return {
    deliveries: page.map(({ message }) => toDelivery(readStored(message))),
    next_page_token: each.length > pageSize && last ? tokenOf(last.key) : '',
  };
}

function newest(deliveries: ReadonlyMap<string, Found>, count: number) {
  return [...deliveries]
    .toSorted(([, one], [, other]) => (isBehind(one.key, other.key) ? 1 : -1))
    .slice(0, count);
}

/** Whether a delivery comes later in the list than another one. */
function isBehind(one: DeliveryKey, other: DeliveryKey): boolean {
  if (one.sequence !== other.sequence) return one.sequence < other.sequence;
  if (one.index !== other.index) return one.index < other.index;
  return one.subscriptionId < other.subscriptionId;
}

function tokenOf(key: DeliveryKey): string {
  return Buffer.from(deliveryIdOf(key)).toString('base64url');
}

function readToken(agentId: DeliveryKey['agentId'], token: string): DeliveryKey {
  const text = Buffer.from(token, 'base64url').toString();
  const { data: id } = webhookDeliveryIdSchema.safeParse(text);
  if (id) return keyOfDelivery(agentId, id);
  throw new RelayError({ error: 'invalidParams', message: 'The page token is not one of a list.' });
}
