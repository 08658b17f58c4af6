import type { Msg } from '@nats-io/transport-node';
import type { ErrorKey, Refusal } from '@relay/protocol';
import type { Connection } from './connection.ts';
import type { Requests } from './requests.ts';

/** How long one try may take before the command is sent again, to whoever listens then. */
const tryTimeout = 3_000;
/** How long a caller is kept while nobody listens at all. */
const absenceTimeout = 2_000;
const absenceRetryDelay = 100;

/** Where commands of one kind go: to one member of a group. */
export interface CommandKind {
  readonly subject: string;
  readonly queueGroup: string;
  /** What a command is refused for that NATS does not take. */
  readonly tooLarge: ErrorKey;
}

interface CommandMessage<Command> {
  readonly command: Command;
  readonly deadline: number;
}

interface RefusedReply {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

export interface CommandToSend {
  readonly command: object;
  /** Milliseconds since the epoch; it is not executed after it. */
  readonly deadline: number;
  /** Whether it may be executed twice, when the first answer was lost. */
  readonly isRepeatable: boolean;
}

const refused = (refusal: Refusal): RefusedReply => ({ type: 'refused', refusal });
const unavailable = refused({ error: 'unavailable', retryAfterSeconds: 1 });

/**
 * Commands to whoever takes them, by NATS request-reply. A try that gets no answer is repeated, the
 * command unchanged, until the deadline: whoever executes it knows by its ids what came of the first.
 */
export class CommandClient {
  readonly #connection: Connection;
  readonly #requests: Requests;
  readonly #kind: CommandKind;

  constructor(connection: Connection, requests: Requests, kind: CommandKind) {
    this.#connection = connection;
    this.#requests = requests;
    this.#kind = kind;
  }

  async send<Reply>(toSend: CommandToSend): Promise<Reply | RefusedReply> {
    const { command, deadline } = toSend;
    const message: CommandMessage<object> = { command, deadline };
    const payload = Buffer.from(JSON.stringify(message));
    if (this.#isTooLarge(payload)) return refused({ error: this.#kind.tooLarge });
    const answer = await this.#sendUntilTaken(payload, toSend);
    return answer?.json<Reply>() ?? unavailable;
  }

  async #sendUntilTaken(
    payload: Uint8Array,
    { deadline, isRepeatable }: CommandToSend,
  ): Promise<Msg | undefined> {
    const { subject } = this.#kind;
    let absentSince: number | undefined;
    while (this.#connection.isConnected() && Date.now() < deadline) {
      const remaining = deadline - Date.now();
      const timeout = isRepeatable ? Math.min(tryTimeout, remaining) : remaining;
      const answer = await this.#requests.send({ subject, payload, timeout });
      if (answer.type === 'answered') return answer.message;
      if (answer.type === 'no-responders') {
        absentSince ??= performance.now();
        if (performance.now() - absentSince >= absenceTimeout) return undefined;
        await new Promise((resolve) => setTimeout(resolve, absenceRetryDelay));
      } else if (answer.type === 'unsent' || !isRepeatable) {
        return undefined;
      }
    }
    return undefined;
  }

  /** Without a connection the server's limit is not known, and there is no command either. */
  #isTooLarge(payload: Uint8Array): boolean {
    const maximumBytes = this.#connection.nats.info?.max_payload;
    return maximumBytes !== undefined && payload.length > maximumBytes;
  }
}

export interface CommandServer {
  /** Takes no new commands; those that came before still reach the handler. */
  stop(): Promise<void>;
}

export interface CommandHandling<Command> {
  readonly connection: Connection;
  readonly kind: CommandKind;
  readonly execute: (command: Command, deadline: number) => Promise<object>;
  readonly onError: (error: unknown) => void;
}

/** Takes commands for this process; each goes to one of those that listen. */
export function serveCommands<Command>(handling: CommandHandling<Command>): CommandServer {
  const { connection, kind, execute, onError } = handling;
  const answer = async (message: Msg) => {
    const { command, deadline } = message.json<CommandMessage<Command>>();
    // It may have waited in a buffer while something was away; its caller is told by then.
    if (Date.now() >= deadline) return;
    const reply = JSON.stringify(await execute(command, deadline));
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
  const subscription = connection.nats.subscribe(kind.subject, {
    queue: kind.queueGroup,
    callback: (error, message) => {
      if (error) onError(error);
      else void answer(message).catch(onError);
    },
  });
  return { stop: () => subscription.drain() };
}
