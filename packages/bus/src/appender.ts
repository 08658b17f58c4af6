import { type Msg, headers as natsHeaders, nuid } from '@nats-io/transport-node';
import type { Connection } from './connection.ts';

export interface Append {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** The subject's last sequence as the writer knows it; 0 for none. It is stored: the link to the message before. */
  readonly expectedLastSequence: number;
}

export type AppendOutcome =
  | { readonly type: 'appended'; readonly sequence: number }
  /** Somebody else appended first, or the message is already there. */
  | { readonly type: 'conflict' }
  /** No answer came: it may be stored or not. Read the subject's last message to know. */
  | { readonly type: 'unknown' }
  /** Certainly not stored. */
  | { readonly type: 'unavailable'; readonly reason: string };

const answerTimeout = 5_000;
const sweepInterval = 500;
const maximumBytesInFlight = 64 * 1024 * 1024;
/** Past this a process was stopped between decision and send, and what let it append may be over. */
const longestQueued = 1_000;
export const linkHeader = 'Nats-Expected-Last-Subject-Sequence';
/** JetStream's "wrong last sequence". */
const conflictCode = 10071;

interface Pending {
  readonly append: Append;
  readonly resolve: (outcome: AppendOutcome) => void;
  /** Milliseconds by the monotonic clock. */
  readonly since: number;
}

/**
 * The one function that appends to streams. It matches answers itself: the client's own way costs 13 % of
 * the rate. What is appended in one turn of the event loop is sent in one write: a write for each costs
 * the server as much again.
 */
export class Appender {
  readonly #connection: Connection;
  readonly #replyPrefix = `_INBOX.${nuid.next()}`;
  readonly #pending = new Map<string, Pending>();
  readonly #sweeper: NodeJS.Timeout;
  #queue: Pending[] = [];
  #counter = 0;
  #bytesInFlight = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.nats.subscribe(`${this.#replyPrefix}.*`, {
      callback: (error, message) => {
        if (!error) this.#settle(tokenOf(message), outcomeOf(message));
      },
    });
    // What was sent before the connection broke may have arrived.
    connection.onDisconnect(() => this.#settleOlderThan(Number.POSITIVE_INFINITY));
    this.#sweeper = setInterval(
      () => this.#settleOlderThan(performance.now() - answerTimeout),
      sweepInterval,
    ).unref();
  }

  append(append: Append): Promise<AppendOutcome> {
    if (!this.#connection.isConnected()) return Promise.resolve(disconnected);
    const bytes = append.payload.length;
    if (this.#bytesInFlight + bytes > maximumBytesInFlight) {
      return Promise.resolve({ type: 'unavailable', reason: 'too many bytes in flight' });
    }
    this.#bytesInFlight += bytes;
    if (this.#queue.length === 0) setImmediate(() => this.#sendQueue());
    return new Promise((resolve) => {
      this.#queue.push({ append, resolve, since: performance.now() });
    });
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#sendQueue();
    this.#settleOlderThan(Number.POSITIVE_INFINITY);
  }

  #sendQueue(): void {
    const queue = this.#queue;
    this.#queue = [];
    const oldest = performance.now() - longestQueued;
    for (const pending of queue) {
      if (!this.#connection.isConnected()) this.#end(pending, disconnected);
      else if (pending.since < oldest) this.#end(pending, stopped);
      else this.#send(pending);
    }
  }

  #send(pending: Pending): void {
    const { subject, payload, headers, expectedLastSequence } = pending.append;
    const messageHeaders = natsHeaders();
    messageHeaders.set(linkHeader, String(expectedLastSequence));
    for (const [name, value] of Object.entries(headers)) messageHeaders.set(name, value);
    this.#counter += 1;
    const token = this.#counter.toString(36);
    this.#pending.set(token, pending);
    const reply = `${this.#replyPrefix}.${token}`;
    this.#connection.nats.publish(subject, payload, { headers: messageHeaders, reply });
  }

  #settle(token: string, outcome: AppendOutcome): void {
    const pending = this.#pending.get(token);
    if (!pending) return;
    this.#pending.delete(token);
    this.#end(pending, outcome);
  }

  #end({ append, resolve }: Pending, outcome: AppendOutcome): void {
    this.#bytesInFlight -= append.payload.length;
    resolve(outcome);
  }

  #settleOlderThan(moment: number): void {
    for (const [token, { since }] of this.#pending) {
      if (since > moment) return;
      this.#settle(token, { type: 'unknown' });
    }
  }
}

const disconnected: AppendOutcome = { type: 'unavailable', reason: 'NATS is not connected' };
const stopped: AppendOutcome = { type: 'unavailable', reason: 'the process was stopped' };

function tokenOf({ subject }: Msg): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

interface PublishAnswer {
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

function outcomeOf(message: Msg): AppendOutcome {
  // An empty answer with status 503 is the server's "no responders": no stream takes the subject now.
  if (message.data.length === 0) return { type: 'unavailable', reason: 'no stream answers' };
  const answer = message.json<PublishAnswer>();
  if (answer.seq !== undefined && !answer.error) return { type: 'appended', sequence: answer.seq };
  if (answer.error?.err_code === conflictCode) return { type: 'conflict' };
  return { type: 'unavailable', reason: answer.error?.description ?? 'NATS refused the message' };
}
