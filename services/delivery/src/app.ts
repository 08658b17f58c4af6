import { randomUUID } from 'node:crypto';
import { startBus } from '@relay/bus';
import type { Listener } from '@relay/outbound';
import {
  createSealer,
  type MainContext,
  requireSettings,
  startOperationsServer,
} from '@relay/runtime';
import { startDelivery } from './delivery.ts';
import { startFanOut } from './fan-out/start-fan-out.ts';
import { startOutbound } from './start-outbound.ts';

/** Delivery in a process of its own: upgrades reach it from a gateway or a proxy. */
export async function startDeliveryProcess(context: MainContext): Promise<void> {
  const { logger, lifecycle } = context;
  const config = requireSettings(context.config, ['natsUrl', 'adminToken', 'secretKey']);
  const { bus, registry } = await startBus(context, { natsUrl: config.natsUrl, name: 'delivery' });
  const listeners: Listener[] = [];
  const outbound = await startOutbound(context, listeners);
  const sealer = createSealer(config.secretKey);
  const common = { bus, logger, replicaId: randomUUID() };
  const fanOut = await lifecycle.start(
    'fan-out',
    () => startFanOut({ ...common, config }),
    (started) => started.close(),
  );
  const delivery = await lifecycle.start(
    'delivery',
    () => startDelivery({ ...common, registry, config, outbound, sealer }),
    (started) => started.close(),
  );
  const { server, url } = await lifecycle.start(
    'operations',
    () =>
      startOperationsServer(config, {
        isReady: () => delivery.isReady() && fanOut.isReady(),
        isDegraded: () => false,
      }),
    (operations) => operations.close(),
  );
  listeners.push({ host: config.host, port: Number(new URL(url).port) });
  server.on('upgrade', (request, socket, head) => delivery.handleUpgrade(request, socket, head));
  await lifecycle.start(
    'intake',
    () => delivery,
    (started) => started.drain(),
  );
  await lifecycle.start(
    'commands',
    () =>
      bus.serveDeliveryCommands(delivery.commands, (error) =>
        logger.error({ err: error }, 'delivery_command.failed'),
      ),
    (commands) => commands.stop(),
  );
}
