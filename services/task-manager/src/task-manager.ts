import type { Bus, Lease } from '@relay/bus';
import type { TaskCommandPort } from '@relay/domain';
import type { Config, Logger } from '@relay/runtime';
import type { TaskIndex } from '@relay/store';
import { CommandHandler } from './command-handler.ts';
import { Projector } from './projector.ts';
import { Sweeper } from './sweeper.ts';

export interface TaskManagerOptions {
  readonly bus: Bus;
  readonly index: TaskIndex;
  readonly config: Pick<Config, 'taskLimitBytes' | 'retentionDays'>;
  readonly logger: Logger;
  readonly replicaId: string;
}

export interface TaskManager {
  readonly commands: TaskCommandPort;
  /** Lets the commands in flight end, then gives back its leases. No command may be given any more. */
  close(): Promise<void>;
}

/** What is done by one live owner alone. */
interface Owner {
  close(): Promise<void>;
}

/** The only writer of tasks, and the owner of the index and of the sweep of tasks while it holds those leases. */
export async function startTaskManager(options: TaskManagerOptions): Promise<TaskManager> {
  const { bus, index, config, logger, replicaId } = options;
  const handler = new CommandHandler({
    tasks: bus.tasks,
    taskLimitBytes: config.taskLimitBytes,
    logger,
  });
  const { retentionDays } = config;
  const owners: Readonly<Record<string, (lease: Lease) => Owner>> = {
    projector: (lease) => new Projector({ bus, index, logger }, lease),
    sweeper: (lease) => new Sweeper({ bus, index, retentionDays, logger }, lease),
  };
  const owned = new Map<string, Owner | undefined>();
  const leases = bus.holdLeases({
    group: 'task-manager',
    replicaId,
    names: Object.keys(owners),
    handlers: {
      acquired: (lease) => owned.set(lease.name, owners[lease.name]?.(lease)),
      lost: async (name) => {
        await owned.get(name)?.close();
        owned.delete(name);
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
