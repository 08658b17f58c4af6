import type { Endpoint } from '../http/http-client.ts';
import { pause } from '../http/pause.ts';
import { Connection, type ConnectionHandlers, type ConnectionOptions } from './connection.ts';
import type { ConnectionEnd } from './connection-end.ts';
import { Patience } from './patience.ts';

export interface SocketOptions
  extends Pick<ConnectionHandlers, 'handleEvent' | 'handleFullSync' | 'onReady'>,
    ConnectionOptions {
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  /** Told why a connection was lost that is opened again. */
  onError(error: Error): void;
}

/**
 * Keeps an agent connected until the signal stops it.
 * @throws RelayRequestError, RelaySocketError or ProtocolError when connecting again would not help
 */
export async function runSocket(options: SocketOptions): Promise<void> {
  const { endpoint, signal, isObserver } = options;
  const patience = new Patience();
  const handlers: ConnectionHandlers = {
    handleEvent: (event) => options.handleEvent(event),
    handleFullSync: (fullSync) => options.handleFullSync(fullSync),
    onReady: () => {
      patience.connected();
      options.onReady();
    },
    onAcknowledged: () => patience.acknowledged(),
  };
  while (!signal.aborted) {
    const end = await runConnection(new Connection(endpoint, handlers, { isObserver }), signal);
    if (end.kind === 'refused') throw end.error;
    if (end.kind === 'stopped') return;
    options.onError(end.error);
    await pause(patience.waitAfter(end), signal);
  }
}

async function runConnection(connection: Connection, signal: AbortSignal): Promise<ConnectionEnd> {
  const drain = () => connection.drain();
  signal.addEventListener('abort', drain, { once: true });
  const end = await connection.ended;
  signal.removeEventListener('abort', drain);
  return end;
}
