import { randomUUID } from 'node:crypto';
import { startBus } from '@relay/bus';
import { type MainContext, requireSettings, startOperationsServer } from '@relay/runtime';
import { startStore, TaskIndex } from '@relay/store';
import { startTaskManager } from './task-manager.ts';

/** A task-manager in a process of its own: commands reach it over NATS. */
export async function startTaskManagerProcess(context: MainContext): Promise<void> {
  const { logger, lifecycle } = context;
  const config = requireSettings(context.config, ['natsUrl', 'redisUrl']);
  const { bus } = await startBus(context, { natsUrl: config.natsUrl, name: 'task-manager' });
  const store = await startStore(context, config.redisUrl);
  const index = new TaskIndex(store.redis, bus.tasksCreated);
  const manager = await lifecycle.start(
    'task-manager',
    () => startTaskManager({ bus, index, config, logger, replicaId: randomUUID() }),
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
  await lifecycle.start(
    'commands',
    () =>
      bus.serveTaskCommands(manager.commands, (error) =>
        logger.error({ err: error }, 'command.failed'),
      ),
    (commands) => commands.stop(),
  );
}
