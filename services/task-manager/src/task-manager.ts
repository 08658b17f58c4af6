import type { Bus, Lease } from '@relay/bus';
import type { ChatCommandPort, TaskCommandPort } from '@relay/domain';
import type { Config, Logger } from '@relay/runtime';
import type { ChatIndex, TaskIndex } from '@relay/store';
import { ChatCommandHandler } from './chats/chat-command-handler.ts';
import { CommandHandler } from './command-handler.ts';
import { ExchangeDesk } from './exchanges/exchange-desk.ts';
import { ExchangeRepair } from './exchanges/exchange-repair.ts';
import { chatProjection, taskProjection } from './projections.ts';
import { Projector } from './projector.ts';
import { Sweeper } from './sweeper.ts';

export interface TaskManagerOptions {
  readonly bus: Bus;
  readonly index: TaskIndex;
  readonly chatIndex: ChatIndex;
  readonly config: Pick<Config, 'taskLimitBytes' | 'retentionDays'>;
  readonly logger: Logger;
  readonly replicaId: string;
}

export interface TaskManager {
  readonly commands: TaskCommandPort;
  readonly chatCommands: ChatCommandPort;
  /** Lets the commands in flight end, then gives back its leases. No command may be given any more. */
  close(): Promise<void>;
}

/** What is done by one live owner alone. */
interface Owner {
  close(): Promise<void>;
}

/** The only writer of tasks and chats, and the owner of the index and of the sweep of tasks while it holds those leases. */
export async function startTaskManager(options: TaskManagerOptions): Promise<TaskManager> {
  const { bus, index, chatIndex, config, logger, replicaId } = options;
  const { taskLimitBytes } = config;
  const tasks = new CommandHandler({ tasks: bus.tasks, taskLimitBytes, logger });
  const chats = new ChatCommandHandler({ chats: bus.chats, limitBytes: taskLimitBytes, logger });
  const desk = new ExchangeDesk({ tasks, chats, record: bus.chats });
  const { retentionDays } = config;
  const owners: Readonly<Record<string, (lease: Lease) => Owner>> = {
    projector: (lease) =>
      new Projector({ bus, projection: taskProjection(bus, index), logger }, lease),
    'chat-projector': (lease) =>
      new Projector({ bus, projection: chatProjection(bus, chatIndex), logger }, lease),
    repair: (lease) => new ExchangeRepair({ bus, desk, logger }, lease),
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
    commands: desk.tasks,
    chatCommands: desk.chats,
    close: async () => {
      await Promise.all([tasks.idle(), chats.idle()]);
      await leases.stop();
    },
  };
}
