import type { Endpoint } from '../http/http-client.ts';
import type { ConnectionOptions, FullSync } from '../socket/connection.ts';
import { runSocket } from '../socket/run-socket.ts';
import type { EventConsumer } from './event-consumer.ts';

export interface ListenOptions {
  /** Stops the listener, as {@link Listener.stop} does. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Events older than Relay's retention are gone: bring up to date what depends on them. Newer events
   * wait until this is done.
   */
  readonly onFullSync?: ((fullSync: FullSync) => void | Promise<void>) | undefined;
  /** Told of each lost connection and failed handler. Unless given they become process warnings. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A connection for events that is kept up until it is stopped or Relay refuses it for good. */
export interface Listener {
  /** Resolves after a stop; rejects when Relay refuses the connection for good. */
  readonly finished: Promise<void>;
  /** Takes no more events, lets handlers finish, acknowledges, closes. */
  stop(): Promise<void>;
}

/** What a listener reports to when nobody else wants to know. */
export function reporterOf({ onError }: ListenOptions): (error: Error) => void {
  return onError ?? ((error) => process.emitWarning(error));
}

/**
 * Starts to listen; resolves when Relay has accepted the connection.
 * @throws RelayRequestError or RelaySocketError when Relay refuses it for good
 */
export async function startListening(
  endpoint: Endpoint,
  consumer: EventConsumer,
  options: ListenOptions,
  { isObserver }: ConnectionOptions = {},
): Promise<Listener> {
  const stopping = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, stopping.signal])
    : stopping.signal;
  const report = reporterOf(options);
  let announceReady: (() => void) | undefined;
  const ready = new Promise<void>((resolve) => {
    announceReady = resolve;
  });
  const connection = runSocket({
    endpoint,
    signal,
    isObserver,
    handleEvent: (event) => consumer.handle(event),
    handleFullSync: async (fullSync) => options.onFullSync?.(fullSync),
    onReady: () => announceReady?.(),
    onError: report,
  });
  const finished = finish(connection, consumer);
  await Promise.race([ready, finished]);
  // Told at once: a handler may be at work for long.
  connection.catch(report);
  finished.catch(() => undefined);
  return {
    finished,
    stop: () => {
      stopping.abort();
      return finished;
    },
  };
}

/** Also what was taken from a connection that is gone is handled to its end. */
async function finish(connection: Promise<void>, consumer: EventConsumer): Promise<void> {
  try {
    await connection;
  } finally {
    await consumer.settled();
  }
}
