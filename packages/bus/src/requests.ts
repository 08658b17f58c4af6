import { type Msg, type MsgHdrs, nuid } from '@nats-io/transport-node';
import type { Connection } from './connection.ts';

export interface Request {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers?: MsgHdrs;
  /** Milliseconds. */
  readonly timeout: number;
}

export type Answer =
  | { readonly type: 'answered'; readonly message: Msg }
  /** Nobody listens to the subject: certainly not taken. */
  | { readonly type: 'no-responders' }
  /** It may have been taken or not. */
  | { readonly type: 'unanswered' }
  /** It never left. */
  | { readonly type: 'unsent'; readonly reason: string };

interface Pending {
  readonly request: Request;
  readonly settle: (answer: Answer) => void;
  /** Milliseconds by the monotonic clock. */
  readonly since: number;
}

const sweepInterval = 500;
const maximumBytesInFlight = 64 * 1024 * 1024;
const noResponders = 503;
/** Past this the process was stopped between decision and send, and what allowed it may be over. */
const longestQueued = 1_000;

const disconnected: Answer = { type: 'unsent', reason: 'NATS is not connected' };
const stopped: Answer = { type: 'unsent', reason: 'the process was stopped' };
const tooMuch: Answer = { type: 'unsent', reason: 'too many bytes in flight' };

/**
 * Requests whose answers are matched here: the client's own way costs 13 % of the rate. What is asked in
 * one turn of the event loop leaves in one write, which halves what the server spends on it.
 */
export class Requests {
  readonly #connection: Connection;
  readonly #replyPrefix = `_INBOX.${nuid.next()}`;
  readonly #pending = new Map<string, Pending>();
  readonly #sweeper: NodeJS.Timeout;
  #counter = 0;
  #bytesInFlight = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.nats.subscribe(`${this.#replyPrefix}.*`, {
      callback: (error, message) => {
        if (!error) this.#settle(tokenOf(message), answerOf(message));
      },
    });
    // What was sent before the connection broke may have arrived.
    connection.onDisconnect(() => this.#giveUp(Number.POSITIVE_INFINITY));
    this.#sweeper = setInterval(() => this.#giveUp(performance.now()), sweepInterval).unref();
  }

  send(request: Request): Promise<Answer> {
    return this.#ask(request, (pending) =>
      this.#connection.sendWithTurn(() => this.#sendNow(pending)),
    );
  }

  /** For what others wait to ask after it: a turn for each would be most of their time. */
  sendAtOnce(request: Request): Promise<Answer> {
    return this.#ask(request, (pending) => this.#sendNow(pending));
  }

  #ask(request: Request, send: (pending: Pending) => void): Promise<Answer> {
    if (!this.#connection.isConnected()) return Promise.resolve(disconnected);
    const bytes = request.payload.length;
    if (this.#bytesInFlight + bytes > maximumBytesInFlight) return Promise.resolve(tooMuch);
    this.#bytesInFlight += bytes;
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        this.#bytesInFlight -= bytes;
        resolve(answer);
      };
      send({ request, settle, since: performance.now() });
    });
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#giveUp(Number.POSITIVE_INFINITY);
  }

  #sendNow(pending: Pending): void {
    const { request, settle, since } = pending;
    if (!this.#connection.isConnected()) return settle(disconnected);
    if (performance.now() - since > longestQueued) return settle(stopped);
    this.#counter += 1;
    const token = this.#counter.toString(36);
    this.#pending.set(token, pending);
    const { subject, payload, headers } = request;
    const reply = `${this.#replyPrefix}.${token}`;
    try {
      this.#connection.nats.publish(subject, payload, { reply, ...(headers ? { headers } : {}) });
    } catch (error) {
      // The client refuses by itself what is larger than the server takes.
      this.#settle(token, { type: 'unsent', reason: String(error) });
    }
  }

  #settle(token: string, answer: Answer): void {
    const pending = this.#pending.get(token);
    this.#pending.delete(token);
    pending?.settle(answer);
  }

  /** @param now milliseconds by the monotonic clock */
  #giveUp(now: number): void {
    for (const [token, { request, since }] of this.#pending) {
      if (since + request.timeout <= now) this.#settle(token, { type: 'unanswered' });
    }
  }
}

function tokenOf({ subject }: Msg): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** Where nobody listens the server answers by itself: with nothing but a status. */
function answerOf(message: Msg): Answer {
  const isRefused = message.data.length === 0 && message.headers?.code === noResponders;
  return isRefused ? { type: 'no-responders' } : { type: 'answered', message };
}
