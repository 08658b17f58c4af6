import { deadline, type Msg, type MsgCallback } from '@nats-io/transport-node';
import { type Connection, unavailable } from './connection.ts';
import { type StreamMessage, streamMessage } from './stream.ts';

/** Milliseconds in which the server says that it holds an interest; one that hangs never does. */
const readyWithin = 3_000;

export interface LiveSubscription {
  /**
   * Resolves when the server holds the interest: what is stored from then on is heard.
   * @throws RelayError unavailable
   */
  readonly ready: Promise<void>;
  unsubscribe(): void;
}

/**
 * Core subscriptions to what streams republish. They are hints: core delivery can lose one, so each
 * listener compares links, and reads again after a reconnect.
 */
export class LiveSubscriptions {
  readonly #connection: Connection;
  #flush: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Messages that a stream republished on `live.<subject>`; the stream's own subject is given back. */
  subscribe(subject: string, listener: (message: StreamMessage) => void): LiveSubscription {
    this.#connection.requireConnected();
    return this.#subscribe(`live.${subject}`, (error, message) => {
      if (!error) tell(message, fromLive, listener);
    });
  }

  /** Also while the connection is down: then it begins with the next one. */
  subscribeCore(subject: string, listener: (message: Msg) => void): LiveSubscription {
    return this.#subscribe(subject, (error, message) => {
      if (!error) tell(message, asItIs, listener);
    });
  }

  #subscribe(subject: string, callback: MsgCallback<Msg>): LiveSubscription {
    const subscription = this.#connection.nats.subscribe(subject, { callback });
    return { ready: this.#flushSoon(), unsubscribe: () => subscription.unsubscribe() };
  }

  publish(subject: string, payload: string): void {
    if (this.#connection.isConnected()) this.#connection.nats.publish(subject, payload);
  }

  /**
   * Called after a reconnect, when the server holds all interest again.
   * @returns a function that takes the listener away
   */
  onReconnect(listener: () => void): () => void {
    return this.#connection.onReconnect(() => {
      // Without an answer the connection broke again, and there is another reconnect to come.
      this.#connection.nats.flush().then(listener, () => undefined);
    });
  }

  /** Subscriptions made in one tick share one flush. */
  #flushSoon(): Promise<void> {
    this.#flush ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#flush = undefined;
      return deadline(this.#connection.nats.flush(), readyWithin).catch((error: unknown) => {
        throw unavailable(error);
      });
    });
    return this.#flush;
  }
}

/**
 * A message that cannot be read is passed over; who reads it from the stream meets the fault again. Thrown
 * here, it would end the client's reading of the whole connection.
 */
function tell<Message>(
  message: Msg,
  read: (message: Msg) => Message,
  listener: (message: Message) => void,
): void {
  try {
    listener(read(message));
  } catch {}
}

const asItIs = (message: Msg) => message;

function fromLive({ data, headers }: Msg): StreamMessage {
  const subject = headers?.get('Nats-Subject') ?? '';
  return streamMessage(subject, Number(headers?.get('Nats-Sequence')), data, headers);
}
