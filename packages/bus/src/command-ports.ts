import type {
  ChatCommand,
  ChatCommandPort,
  ChatCommandReply,
  DeliveryCommand,
  DeliveryOperation,
  DeliveryPort,
  DeliveryReply,
  TaskCommand,
  TaskCommandPort,
  TaskCommandReply,
} from '@relay/domain';
import {
  CommandClient,
  type CommandHandling,
  type CommandKind,
  type CommandServer,
  serveCommands,
} from './commands.ts';
import type { Connection } from './connection.ts';
import type { Requests } from './requests.ts';

const taskCommands: CommandKind = {
  subject: 'command.task',
  queueGroup: 'task-manager',
  tooLarge: 'taskTooLarge',
};
const chatCommands: CommandKind = {
  subject: 'command.chat',
  queueGroup: 'task-manager',
  tooLarge: 'bodyTooLarge',
};
const deliveryCommands: CommandKind = {
  subject: 'command.delivery',
  queueGroup: 'delivery',
  tooLarge: 'bodyTooLarge',
};

/** Each try of a test would send an event; a second redrive would find less to tell of, or be another one. */
const sentOnce: ReadonlySet<DeliveryOperation> = new Set([
  'test-subscription',
  'redrive-deliveries',
  'redrive-stuck',
  'rewrap-secrets',
]);

type Handling<Command> = Pick<CommandHandling<Command>, 'connection' | 'onError'>;

/** The way to the task-managers that listen. */
export function taskCommandPort(connection: Connection, requests: Requests): TaskCommandPort {
  const client = new CommandClient(connection, requests, taskCommands);
  return {
    execute: (command, deadline) =>
      client.send<TaskCommandReply>({ command, deadline, isRepeatable: true }),
  };
}

/** The way to the same task-managers for what is asked of chats. */
export function chatCommandPort(connection: Connection, requests: Requests): ChatCommandPort {
  const client = new CommandClient(connection, requests, chatCommands);
  return {
    execute: (command, deadline) =>
      client.send<ChatCommandReply>({ command, deadline, isRepeatable: true }),
  };
}

/** The way to the deliveries that listen. */
export function deliveryPort(connection: Connection, requests: Requests): DeliveryPort {
  const client = new CommandClient(connection, requests, deliveryCommands);
  return {
    execute: <Operation extends DeliveryOperation>(
      command: DeliveryCommand<Operation>,
      deadline: number,
    ) => {
      const isRepeatable = !sentOnce.has(command.type);
      return client.send<DeliveryReply<Operation>>({ command, deadline, isRepeatable });
    },
  };
}

export function serveTaskCommands(
  port: TaskCommandPort,
  handling: Handling<TaskCommand>,
): CommandServer {
  const execute = port.execute.bind(port);
  return serveCommands<TaskCommand>({ ...handling, kind: taskCommands, execute });
}

export function serveChatCommands(
  port: ChatCommandPort,
  handling: Handling<ChatCommand>,
): CommandServer {
  const execute = port.execute.bind(port);
  return serveCommands<ChatCommand>({ ...handling, kind: chatCommands, execute });
}

export function serveDeliveryCommands(
  port: DeliveryPort,
  handling: Handling<DeliveryCommand>,
): CommandServer {
  return serveCommands<DeliveryCommand>({
    ...handling,
    kind: deliveryCommands,
    execute: (command, deadline) => port.execute(command, deadline),
  });
}
