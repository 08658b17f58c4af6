import type { Connection } from './connection.ts';

/**
 * Idle connections, to be used again. They are bounded over all origins, and the one that is idle for
 * longest goes first; so what is kept does not grow with the number of origins.
 */
export class KeptConnections {
  readonly #maximum: number;
  /** Of all origins, in the order in which they became idle. */
  readonly #idle = new Set<Connection>();
  readonly #byOrigin = new Map<string, Connection[]>();
  #isClosed = false;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** The one that became idle last, which its other side is the least likely to close. */
  take(origin: string): Connection | undefined {
    const connection = this.#byOrigin.get(origin)?.at(-1);
    if (connection === undefined) return undefined;
    this.forget(connection);
    if (connection.isReusable) return connection;
    connection.close();
    return this.take(origin);
  }

  keep(connection: Connection): void {
    if (this.#isClosed || !connection.isReusable) {
      connection.close();
      return;
    }
    this.#idle.add(connection);
    const sameOrigin = this.#byOrigin.get(connection.origin);
    if (sameOrigin) sameOrigin.push(connection);
    else this.#byOrigin.set(connection.origin, [connection]);
    if (this.#idle.size > this.#maximum) this.#closeOldest();
  }

  forget(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const sameOrigin = this.#byOrigin.get(connection.origin) ?? [];
    sameOrigin.splice(sameOrigin.lastIndexOf(connection), 1);
    if (sameOrigin.length === 0) this.#byOrigin.delete(connection.origin);
  }

  /** Closes what is idle now, and what becomes idle later. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle) connection.close();
    this.#idle.clear();
    this.#byOrigin.clear();
  }

  #closeOldest(): void {
    const [oldest] = this.#idle;
    if (oldest === undefined) return;
    this.forget(oldest);
    oldest.close();
  }
}
