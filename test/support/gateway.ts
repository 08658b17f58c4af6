import { randomUUID } from 'node:crypto';
import { type Bus, connectBus, Registry } from '@relay/bus';
import { type Delivery, startDelivery, startFanOut } from '@relay/delivery';
import { ChatPages, Directory, type Gateway, IndexedTaskLists, startGateway } from '@relay/gateway';
import { createOutbound } from '@relay/outbound';
import { type Config, createLogger } from '@relay/runtime';
import { ChatIndex, DirectoryIndex, openStore, Rates, TaskIndex } from '@relay/store';
import { startProjections, startTaskManager } from '@relay/task-manager';
import { testSealer } from './sealer.ts';
import { testConfig } from './task-manager.ts';

export const adminToken = 'the-admin-token';

export interface TestGateway extends Gateway {
  readonly bus: Bus;
  readonly registry: Registry;
  readonly delivery: Delivery;
}

export interface TestGatewayOptions {
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly config?: Partial<Config>;
  /** Receives log lines. */
  readonly onLog?: (line: string) => void;
  /** Whether what delivery does is asked of those that listen on NATS. */
  readonly isSplit?: boolean;
}

/** A gateway, a task-manager and a delivery in one process with connections of their own, on a port of its own. */
export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { natsUrl, redisUrl, onLog } = options;
  const config: Config = { ...testConfig, port: 0, adminToken, ...options.config };
  const logger = createLogger(
    { logLevel: onLog ? 'debug' : 'silent' },
    'gateway',
    onLog && { write: onLog },
  );
  const bus = await connectBus({ servers: natsUrl, name: 'gateway', replicas: 1 });
  const store = openStore(redisUrl, () => undefined);
  const index = new TaskIndex(store.redis, () => bus.tasksCreated);
  const chatIndex = new ChatIndex(store.redis, () => bus.chatsCreated);
  const directoryIndex = new DirectoryIndex(store.redis, () => bus.registryRecords.created);
  const replicaId = `gateway-${randomUUID()}`;
  const common = { bus, config, logger, replicaId };
  const projections = await startProjections({ ...common, index, chatIndex, directoryIndex });
  const manager = await startTaskManager(common);
  const fanOut = await startFanOut(common);
  const registry = new Registry(bus);
  await registry.start();
  const { allowPrivateTargets: allowedNetworks = ['127.0.0.0/8'] } = config;
  const outbound = createOutbound({ allowedNetworks, ownListeners: [] });
  const delivery = await startDelivery({ ...common, registry, outbound, sealer: testSealer });
  const taskLists = new IndexedTaskLists(bus, index);
  const chatPages = new ChatPages(bus, chatIndex);
  const directory = new Directory(bus, registry, directoryIndex);
  const gateway = await startGateway({
    bus,
    registry,
    commands: manager.commands,
    chatCommands: manager.chatCommands,
    deliveryCommands: options.isSplit ? bus.deliveryCommands : delivery.commands,
    taskLists,
    chatPages,
    directory,
    rates: new Rates(store, config),
    config,
    logger,
    handleUpgrade: (_request, socket) => socket.end('HTTP/1.1 418 Delivery\r\n\r\n'),
    isDegraded: () => !store.isConnected(),
  });
  return {
    ...gateway,
    bus,
    registry,
    delivery,
    close: async () => {
      await gateway.close();
      await delivery.close();
      outbound.close();
      registry.stop();
      taskLists.close();
      chatPages.close();
      directory.close();
      await manager.close();
      await fanOut.close();
      await projections.close();
      store.close();
      await bus.close();
    },
  };
}
