import { type Msg, NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import type { TaskCommand, TaskCommandPort, TaskCommandReply } from '@relay/domain';
import type { Connection } from './connection.ts';

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

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async execute(command: TaskCommand, deadline: number): Promise<TaskCommandReply> {
    const payload = Buffer.from(JSON.stringify({ command, deadline } satisfies CommandMessage));
    // Without a connection there is no such information, and no command either.
    const maximumBytes = this.#connection.nats.info?.max_payload;
    if (maximumBytes !== undefined && payload.length > maximumBytes) {
      return { type: 'refused', refusal: { error: 'taskTooLarge' } };
    }
    let absentSince: number | undefined;
    while (this.#connection.isConnected() && Date.now() < deadline) {
      const answer = await this.#try(payload, deadline);
      if (typeof answer !== 'string') return answer;
      if (answer === 'unanswered') continue;
      absentSince ??= Date.now();
      if (Date.now() - absentSince >= absenceTimeout) return unavailable;
      await new Promise((resolve) => setTimeout(resolve, absenceRetryDelay));
    }
    return unavailable;
  }

  async #try(payload: Uint8Array, deadline: number) {
    const timeout = Math.max(1, Math.min(tryTimeout, deadline - Date.now()));
    try {
      const answer = await this.#connection.nats.request(subject, payload, { timeout });
      return answer.json<TaskCommandReply>();
    } catch (error) {
      if (isNoResponders(error)) return 'absent';
      if (error instanceof TimeoutError) return 'unanswered';
      return unavailable;
    }
  }
}

function isNoResponders(error: unknown): boolean {
  return (
    error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
  );
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
    message.respond(JSON.stringify(await handler.execute(command, deadline)));
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
