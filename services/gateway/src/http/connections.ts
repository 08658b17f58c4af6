import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Beyond the limit so many are still heard, and told that there is no room. The rest is closed unheard. */
const heardBeyond = 1_000;

export const tooManyConnections = 'Relay has too many connections right now. Try again shortly.';

/** Bounds the connections of the server, those of WebSockets among them. */
export class Connections {
  readonly #limit: number;
  readonly #taken = new Set<Duplex>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  watch(server: Server): void {
    server.maxConnections = this.#limit + heardBeyond;
    server.on('connection', (socket: Duplex) => {
      // One that offered an upgrade that is not done comes twice.
      if (this.#taken.size >= this.#limit || this.#taken.has(socket)) return;
      this.#taken.add(socket);
      socket.once('close', () => this.#taken.delete(socket));
    });
  }

  /** Whether what comes on it is answered, and not only refused. */
  takes(socket: Duplex): boolean {
    return this.#taken.has(socket);
  }
}
