import type { Msg } from '@nats-io/transport-node';
import type { TaskCommand, TaskCommandPort, TaskCommandReply } from '@relay/domain';
import type { Connection } from './connection.ts';
import type { Requests } from './requests.ts';

const subject = 'command.task';
const queueGroup = 'task-manager';
/** How long one try may take before the command is sent again, to whoever listens then. */
const tryTimeout = 3_000;
/** How long a caller is kept while no task-manager listens at all. */
const absenceTimeout = 2_000;
const absenceRetryDelay = 100;

interface CommandMessage {
  readonly command: TaskCommand;
  readonly deadline: number;
}

const unavailable: TaskCommandReply = {
  type: 'refused',
  refusal: { error: 'unavailable', retryAfterSeconds: 1 },
};

/**
 * Commands to whichever task-manager takes them, by NATS request-reply. A try that gets no answer is
 * repeated with the same command id until the deadline, and the record tells what came of the first.
 */
export class TaskCommandClient implements TaskCommandPort {
  readonly #connection: Connection;
  readonly #requests: Requests;

  constructor(connection: Connection, requests: Requests) {
    this.#connection = connection;
    this.#requests = requests;
  }

  async execute(command: TaskCommand, deadline: number): Promise<TaskCommandReply> {
    const payload = Buffer.from(JSON.stringify({ command, deadline } satisfies CommandMessage));
    if (this.#isTooLarge(payload)) return { type: 'refused', refusal: { error: 'taskTooLarge' } };
    let absentSince: number | undefined;
    while (this.#connection.isConnected() && Date.now() < deadline) {
      const timeout = Math.min(tryTimeout, deadline - Date.now());
      const answer = await this.#requests.send({ subject, payload, timeout });
      if (answer.type === 'answered') return answer.message.json<TaskCommandReply>();
      if (answer.type === 'unsent') return unavailable;
      if (answer.type === 'unanswered') continue;
      absentSince ??= performance.now();
      if (performance.now() - absentSince >= absenceTimeout) return unavailable;
      await new Promise((resolve) => setTimeout(resolve, absenceRetryDelay));
    }
    return unavailable;
  }

  /** Without a connection the server's limit is not known, and there is no command either. */
  #isTooLarge(payload: Uint8Array): boolean {
    const maximumBytes = this.#connection.nats.info?.max_payload;
    return maximumBytes !== undefined && payload.length > maximumBytes;
  }
}

export interface TaskCommandServer {
  /** Takes no new commands; those that came before still reach the handler. */
  stop(): Promise<void>;
}

/** Takes commands for this task-manager; each goes to one of those that listen. */
export function serveTaskCommands(
  connection: Connection,
  handler: TaskCommandPort,
  onError: (error: unknown) => void,
): TaskCommandServer {
  const answer = async (message: Msg) => {
    const { command, deadline } = message.json<CommandMessage>();
    // It may have waited in a buffer while something was away; its caller is told by then.
    if (Date.now() >= deadline) return;
    const reply = JSON.stringify(await handler.execute(command, deadline));
    connection.sendWithTurn(() => respond(message, reply));
  };
  const respond = (message: Msg, reply: string) => {
    try {
      // What cannot be sent now is asked for again.
      if (connection.isConnected()) message.respond(reply);
    } catch (error) {
      onError(error);
    }
  };
  const subscription = connection.nats.subscribe(subject, {
    queue: queueGroup,
    callback: (error, message) => {
      if (error) onError(error);
      else void answer(message).catch(onError);
    },
  });
  return { stop: () => subscription.drain() };
}
