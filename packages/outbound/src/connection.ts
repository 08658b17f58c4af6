import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { AttemptError } from './attempt-error.ts';
import type { Target } from './target.ts';

/** Names are resolved and judged anew at least this often. */
const maximumAgeMilliseconds = 60_000;

const maximumHeaderBytes = 16 * 1024;

export interface PostRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

/** One guarded connection to an origin, for one request at a time. It is never opened again. */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #openedAt = performance.now();

  constructor({ origin }: Target, socket: Socket) {
    this.origin = origin;
    this.#socket = socket;
    this.#client = new Client(origin, {
      connect: handOver(socket),
      maxHeaderSize: maximumHeaderBytes,
      // The attempt has one limit, for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get isReusable(): boolean {
    return !this.#socket.destroyed && performance.now() - this.#openedAt < maximumAgeMilliseconds;
  }

  post({ path, headers, body }: PostRequest, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch({ method: 'POST', path, headers, body }, handler);
  }

  onClose(listener: () => void): void {
    this.#client.once('disconnect', listener);
  }

  close(): void {
    this.#client.destroy(null, () => {});
    this.#socket.destroy();
  }
}

/** Left to itself the client would dial again, past the guard. */
function handOver(socket: Socket): buildConnector.connector {
  let isGiven = false;
  return (_options, callback) => {
    const isFirst = !isGiven;
    isGiven = true;
    queueMicrotask(() => {
      if (isFirst) callback(null, socket);
      else callback(new AttemptError('reset', 'closed before the request'), null);
    });
  };
}
