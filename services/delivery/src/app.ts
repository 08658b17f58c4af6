import { randomUUID } from 'node:crypto';
import { startBus } from '@relay/bus';
import { type MainContext, requireSettings, startOperationsServer } from '@relay/runtime';
import { startDelivery } from './delivery.ts';

/** Delivery in a process of its own: upgrades reach it from a gateway or a proxy. */
export async function startDeliveryProcess(context: MainContext): Promise<void> {
  const { logger, lifecycle } = context;
  const config = requireSettings(context.config, ['natsUrl', 'adminToken']);
  const { bus, registry } = await startBus(context, { natsUrl: config.natsUrl, name: 'delivery' });
  const delivery = await lifecycle.start(
    'delivery',
    () => startDelivery({ bus, registry, config, logger, replicaId: randomUUID() }),
    (started) => started.close(),
  );
  const { server } = await lifecycle.start(
    'operations',
    () =>
      startOperationsServer(config, {
        isReady: () => delivery.isReady(),
        isDegraded: () => false,
      }),
    (operations) => operations.close(),
  );
  server.on('upgrade', (request, socket, head) => delivery.handleUpgrade(request, socket, head));
  await lifecycle.start(
    'intake',
    () => delivery,
    (started) => started.drain(),
  );
}
