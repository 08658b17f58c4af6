import { startBus } from '@relay/bus';
import { type MainContext, requireSettings } from '@relay/runtime';
import { ChatIndex, DirectoryIndex, Rates, startStore, TaskIndex } from '@relay/store';
import { ChatPages } from './chats/chat-pages.ts';
import { Directory } from './directory/directory.ts';
import { startGateway } from './gateway.ts';
import { UpgradeTunnel } from './http/upgrade-tunnel.ts';
import { IndexedTaskLists } from './lists/indexed-task-lists.ts';

/** A gateway in a process of its own: commands go out over NATS, WebSockets through to delivery. */
export async function startGatewayProcess(context: MainContext): Promise<void> {
  const { logger, lifecycle } = context;
  const config = requireSettings(context.config, [
    'natsUrl',
    'redisUrl',
    'adminToken',
    'deliveryUrl',
  ]);
  const { bus, registry } = await startBus(context, { natsUrl: config.natsUrl, name: 'gateway' });
  const store = await startStore(context, config.redisUrl);
  const taskLists = await lifecycle.start(
    'task lists',
    () => new IndexedTaskLists(bus, new TaskIndex(store.redis, () => bus.tasksCreated)),
    (lists) => lists.close(),
  );
  const chatPages = await lifecycle.start(
    'chat pages',
    () => new ChatPages(bus, new ChatIndex(store.redis, () => bus.chatsCreated)),
    (pages) => pages.close(),
  );
  const directory = await lifecycle.start(
    'directory',
    () => {
      const index = new DirectoryIndex(store.redis, () => bus.registryRecords.created);
      return new Directory(bus, registry, index);
    },
    (started) => started.close(),
  );
  const tunnel = new UpgradeTunnel(config.deliveryUrl);
  const gateway = await lifecycle.start(
    'gateway',
    () =>
      startGateway({
        bus,
        registry,
        commands: bus.taskCommands,
        chatCommands: bus.chatCommands,
        deliveryCommands: bus.deliveryCommands,
        taskLists,
        chatPages,
        directory,
        rates: new Rates(store, config),
        config,
        logger,
        handleUpgrade: (...upgrade) => tunnel.handleUpgrade(...upgrade),
        isDegraded: () => !store.isConnected(),
      }),
    (started) => started.close(),
  );
  await lifecycle.start(
    'intake',
    () => gateway,
    async (started) => {
      await Promise.all([started.drain(), tunnel.drain(config.drainSeconds)]);
    },
  );
}
