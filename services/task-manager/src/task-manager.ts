import type { Bus } from '@relay/bus';
import type { TaskCommandPort } from '@relay/domain';
import type { Config, Logger } from '@relay/runtime';
import type { TaskIndex } from '@relay/store';
import { CommandHandler } from './command-handler.ts';
import { Projector } from './projector.ts';

export interface TaskManagerOptions {
  readonly bus: Bus;
  readonly index: TaskIndex;
  readonly config: Pick<Config, 'taskLimitBytes'>;
  readonly logger: Logger;
  readonly replicaId: string;
}

export interface TaskManager {
  readonly commands: TaskCommandPort;
  /** Lets the commands in flight end, then gives back its leases. No command may be given any more. */
  close(): Promise<void>;
}

/** The only writer of tasks, and the owner of the index of tasks while it holds that lease. */
export async function startTaskManager(options: TaskManagerOptions): Promise<TaskManager> {
  const { bus, index, config, logger, replicaId } = options;
  const handler = new CommandHandler({
    tasks: bus.tasks,
    taskLimitBytes: config.taskLimitBytes,
    logger,
  });
  let projector: Projector | undefined;
  const leases = bus.holdLeases({
    group: 'task-manager',
    replicaId,
    names: ['projector'],
    handlers: {
      acquired: (lease) => {
        projector = new Projector({ bus, index, logger }, lease);
      },
      lost: async () => {
        await projector?.close();
        projector = undefined;
      },
    },
  });
  await leases.start();
  return {
    commands: handler,
    close: async () => {
      await handler.idle();
      await leases.stop();
    },
  };
}
