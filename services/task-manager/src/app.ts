import { randomUUID } from 'node:crypto';
import { type CommandServer, startBus } from '@relay/bus';
import { type MainContext, requireSettings, startOperationsServer } from '@relay/runtime';
import { ChatIndex, DirectoryIndex, startStore, TaskIndex } from '@relay/store';
import { startProjections } from './start-projections.ts';
import { startTaskManager } from './task-manager.ts';

/** A task-manager in a process of its own: commands reach it over NATS. */
export async function startTaskManagerProcess(context: MainContext): Promise<void> {
  const { logger, lifecycle } = context;
  const config = requireSettings(context.config, ['natsUrl', 'redisUrl']);
  const { bus } = await startBus(context, { natsUrl: config.natsUrl, name: 'task-manager' });
  const store = await startStore(context, config.redisUrl);
  const index = new TaskIndex(store.redis, () => bus.tasksCreated);
  const chatIndex = new ChatIndex(store.redis, () => bus.chatsCreated);
  const directoryIndex = new DirectoryIndex(store.redis, () => bus.registryRecords.created);
  const common = { bus, config, logger, replicaId: randomUUID() };
  await lifecycle.start(
    'projections',
    () => startProjections({ ...common, index, chatIndex, directoryIndex }),
    (started) => started.close(),
  );
  const manager = await lifecycle.start(
    'task-manager',
    () => startTaskManager(common),
    (started) => started.close(),
  );
  await lifecycle.start(
    'operations',
    () =>
      startOperationsServer(config, {
        isReady: () => bus.isConnected() && !lifecycle.isStopping,
        isDegraded: () => !store.isConnected(),
      }),
    (operations) => operations.close(),
  );
  const onError = (error: unknown) => logger.error({ err: error }, 'command.failed');
  const serve = (name: string, start: () => CommandServer) =>
    lifecycle.start(name, start, (commands) => commands.stop());
  await serve('commands', () => bus.serveTaskCommands(manager.commands, onError));
  await serve('chat commands', () => bus.serveChatCommands(manager.chatCommands, onError));
}
