import { randomUUID } from 'node:crypto';
import type { Bus, Registry } from '@relay/bus';
import { startDelivery, startOutbound } from '@relay/delivery';
import {
  ChatPages,
  Directory,
  type GatewayOptions,
  IndexedTaskLists,
  startGateway,
} from '@relay/gateway';
import {
  createSealer,
  explainListenError,
  type MainContext,
  type SecretKeys,
} from '@relay/runtime';
import { ChatIndex, DirectoryIndex, openStore, Rates, TaskIndex } from '@relay/store';
import { startTaskManager } from '@relay/task-manager';
import { startReadersThread } from './readers-thread.ts';

interface Foundation {
  readonly bus: Bus;
  readonly registry: Registry;
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly secretKeys: SecretKeys;
}

/** The three services in this process: commands and upgrades are handed over by direct calls. */
export async function startServices(
  context: MainContext,
  { bus, registry, natsUrl, redisUrl, secretKeys }: Foundation,
): Promise<{ port: number }> {
  const { config, logger, lifecycle } = context;
  const { a2aPush, logLevel, natsReplicas, otlpUrl, retentionDays } = config;
  const common = { bus, registry, config, logger, replicaId: randomUUID() };
  const store = await lifecycle.start(
    'store',
    () => openStore(redisUrl, (error) => logger.debug({ err: error }, 'store.failed')),
    (opened) => opened.close(),
  );
  const index = new TaskIndex(store.redis, () => bus.tasksCreated);
  const chatIndex = new ChatIndex(store.redis, () => bus.chatsCreated);
  const directoryIndex = new DirectoryIndex(store.redis, () => bus.registryRecords.created);
  const taskLists = await lifecycle.start(
    'task lists',
    () => new IndexedTaskLists(bus, index),
    (lists) => lists.close(),
  );
  const chatPages = await lifecycle.start(
    'chat pages',
    () => new ChatPages(bus, chatIndex),
    (pages) => pages.close(),
  );
  const directory = await lifecycle.start(
    'directory',
    () => new Directory(bus, registry, directoryIndex),
    (started) => started.close(),
  );
  await lifecycle.start(
    'readers',
    () =>
      startReadersThread({
        natsUrl,
        redisUrl,
        config: { a2aPush, logLevel, natsReplicas, otlpUrl, retentionDays },
      }),
    (readers) => readers.stop(),
  );
  const { commands, chatCommands } = await lifecycle.start(
    'task-manager',
    () => startTaskManager(common),
    (taskManager) => taskManager.close(),
  );
  const listeners: { host: string; port: number }[] = [];
  const outbound = await startOutbound(context, listeners);
  const sealer = createSealer(secretKeys);
  const delivery = await lifecycle.start(
    'delivery',
    () => startDelivery({ ...common, outbound, sealer }),
    (started) => started.close(),
  );
  const gateway = await lifecycle.start(
    'gateway',
    () =>
      listen({
        ...common,
        commands,
        chatCommands,
        deliveryCommands: delivery.commands,
        taskLists,
        chatPages,
        directory,
        rates: new Rates(store, config),
        handleUpgrade: (...upgrade) => delivery.handleUpgrade(...upgrade),
        isDegraded: () => !store.isConnected(),
      }),
    (started) => started.close(),
  );
  await lifecycle.start('intake', () => [gateway, delivery], drainTogether);
  const port = Number(new URL(gateway.url).port);
  listeners.push({ host: config.host, port });
  return { port };
}

async function listen(options: GatewayOptions) {
  try {
    return await startGateway(options);
  } catch (error) {
    throw explainListenError(error, options.config);
  }
}

/** Each may take as long as a drain may last. */
async function drainTogether(services: readonly { drain(): Promise<void> }[]): Promise<void> {
  await Promise.all(services.map((service) => service.drain()));
}
