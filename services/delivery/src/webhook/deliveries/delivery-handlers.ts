import type { Bus, DeliveryKey } from '@relay/bus';
import type { DeliveryOperation } from '@relay/domain';
import { RelayError } from '@relay/protocol';
import type { Handlers } from '../../delivery-handler.ts';
import { keyOfDelivery, readStored, type StoredDelivery, toDelivery } from './delivery-view.ts';
import { listDeliveries } from './list-deliveries.ts';
import { type RedriveContext, redrive, redriveAll, requireActive } from './redrive.ts';

type Operation = Extract<
  DeliveryOperation,
  'list-deliveries' | 'get-delivery' | 'redrive-delivery' | 'redrive-deliveries'
>;

/** Executes what agents ask about events that were not delivered. */
export function deliveryHandlers(context: RedriveContext): Handlers<Operation> {
  const { bus } = context;
  return {
    'list-deliveries': (command) => listDeliveries(bus, command),
    'get-delivery': async ({ agentId, deliveryId }) =>
      toDelivery(await required(bus, keyOfDelivery(agentId, deliveryId))),
    'redrive-delivery': async ({ agentId, deliveryId }) => {
      const key = keyOfDelivery(agentId, deliveryId);
      const stored = await required(bus, key);
      // Whoever asks again finds it on its way.
      if (stored.record.status === 'pending') return toDelivery(stored);
      await requireActive(context, stored);
      const redriven = await redrive(bus, stored, Date.now());
      return toDelivery(redriven ?? (await required(bus, key)));
    },
    'redrive-deliveries': (command, deadline) => redriveAll(context, command, deadline),
  };
}

/** @throws RelayError notFound */
async function required(bus: Bus, key: DeliveryKey): Promise<StoredDelivery> {
  const message = await bus.deliveries.read(key);
  if (!message) throw new RelayError('notFound');
  return readStored(message);
}
