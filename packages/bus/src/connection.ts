import { connect, deadline, type NatsConnection } from '@nats-io/transport-node';
import { RelayError } from '@relay/protocol';
import { ShownGauge } from '@relay/runtime';
import { ReadTurns, readsOfOne } from './read-turns.ts';

const connections = new ShownGauge({
  name: 'relay_nats_connections_down',
  help: 'Connections to NATS that are not up.',
});

/** Milliseconds in which a server takes the rest; one that hangs never does. */
const drainedWithin = 2_000;

export interface NatsOptions {
  /** One URL, or several with commas between. */
  readonly servers: string;
  /** Shown in the server's connection list. */
  readonly name: string;
}

/** A NATS connection that is kept for ever, and tells at any moment whether it is up. */
export interface Connection {
  readonly nats: NatsConnection;
  /** For reads of what may be large. */
  readonly readTurns: ReadTurns;
  isConnected(): boolean;
  /** Refuses at once instead of letting the client buffer what it cannot send. */
  requireConnected(): void;
  /** @returns a function that takes the listener away */
  onDisconnect(listener: () => void): () => void;
  /** @returns a function that takes the listener away */
  onReconnect(listener: () => void): () => void;
  /**
   * Runs what sends at the end of this turn of the event loop, together: the client writes once for all.
   * It must not throw.
   */
  sendWithTurn(send: () => void): void;
  /** Sends what is still to be sent where that can be, and closes. */
  close(): Promise<void>;
}

/** Reconnects for ever, 200 ms apart, and notices a stalled server within 30 s. */
export async function openConnection({ servers, name }: NatsOptions): Promise<Connection> {
  const nats = await connect({
    servers: servers.split(','),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
  return follow(nats);
}

function follow(nats: NatsConnection): Connection {
  let connected = true;
  const disconnectListeners = new Set<() => void>();
  const reconnectListeners = new Set<() => void>();
  const readStatus = async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        connected = false;
        for (const listener of disconnectListeners) listener();
      } else if (status.type === 'reconnect') {
        connected = true;
        for (const listener of reconnectListeners) listener();
      }
    }
  };
  void readStatus();
  const isConnected = () => connected && !nats.isClosed();
  const turn = new Turn();
  const hide = connections.show(() => [{ value: isConnected() ? 0 : 1 }]);
  return {
    nats,
    readTurns: new ReadTurns(readsOfOne),
    isConnected,
    requireConnected: () => {
      if (!isConnected()) throw unavailable();
    },
    onDisconnect: (listener) => listen(disconnectListeners, listener),
    onReconnect: (listener) => listen(reconnectListeners, listener),
    sendWithTurn: (send) => turn.add(send),
    close: () => {
      hide();
      turn.run();
      return deadline(nats.drain(), drainedWithin).catch(() => nats.close());
    },
  };
}

class Turn {
  #jobs: (() => void)[] = [];

  add(job: () => void): void {
    if (this.#jobs.length === 0) setImmediate(() => this.run());
    this.#jobs.push(job);
  }

  run(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    for (const job of jobs) job();
  }
}

/** The record cannot be reached or did not answer. */
export function unavailable(cause?: unknown): RelayError {
  const error = new RelayError({ error: 'unavailable', retryAfterSeconds: 1 });
  error.cause = cause;
  return error;
}

/**
 * Runs a NATS request; whatever goes wrong with it is that the record is unavailable. When the connection
 * breaks no answer will come, and the client would wait for one until its timeout.
 */
export async function whileAvailable<Result>(
  connection: Connection,
  request: () => Promise<Result>,
): Promise<Result> {
  connection.requireConnected();
  let forget = () => {};
  const broken = new Promise<never>((_, reject) => {
    forget = connection.onDisconnect(() => reject(unavailable()));
  });
  try {
    return await Promise.race([request(), broken]);
  } catch (error) {
    throw error instanceof RelayError ? error : unavailable(error);
  } finally {
    forget();
  }
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
