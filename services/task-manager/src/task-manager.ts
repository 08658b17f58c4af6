import type { Bus } from '@relay/bus';
import type { ChatCommandPort, TaskCommandPort } from '@relay/domain';
import type { Config, Logger } from '@relay/runtime';
import { ChatCommandHandler } from './chats/chat-command-handler.ts';
import { CommandHandler } from './command-handler.ts';
import { ExchangeDesk } from './exchanges/exchange-desk.ts';
import { ExchangeRepair } from './exchanges/exchange-repair.ts';
import { startOwners } from './owners.ts';

export interface TaskManagerOptions {
  readonly bus: Bus;
  readonly config: Pick<Config, 'taskLimitBytes'>;
  readonly logger: Logger;
  readonly replicaId: string;
}

export interface TaskManager {
  readonly commands: TaskCommandPort;
  readonly chatCommands: ChatCommandPort;
  /** Lets the commands in flight end, then gives back its leases. No command may be given any more. */
  close(): Promise<void>;
}

/** The only writer of tasks and chats, and the one that makes up for outcomes that a crash left unpublished. */
export async function startTaskManager(options: TaskManagerOptions): Promise<TaskManager> {
  const { bus, config, logger, replicaId } = options;
  const { taskLimitBytes } = config;
  const tasks = new CommandHandler({ tasks: bus.tasks, taskLimitBytes, logger });
  const chats = new ChatCommandHandler({ chats: bus.chats, limitBytes: taskLimitBytes, logger });
  const desk = new ExchangeDesk({ tasks, chats, record: bus.chats });
  const repair = await startOwners({
    bus,
    group: 'task-manager',
    replicaId,
    owners: { repair: (lease) => new ExchangeRepair({ bus, desk, logger }, lease) },
  });
  return {
    commands: desk.tasks,
    chatCommands: desk.chats,
    close: async () => {
      await Promise.all([tasks.idle(), chats.idle()]);
      await repair.close();
    },
  };
}
