import type { Connection } from './connection.ts';

const retryDelay = 200;

/**
 * Keeps a watch alive: what its consumer missed while the connection was down, or lost with a server that
 * was killed, nobody tells. So it is begun anew after each reconnect, and whoever watches is told to look.
 */
export class RenewedWatch {
  readonly #open: () => Promise<() => void>;
  readonly #onGap: () => void;
  readonly #forgetReconnects: () => void;
  #close: () => void = () => undefined;
  #isStopped = false;

  private constructor(connection: Connection, open: () => Promise<() => void>, onGap: () => void) {
    this.#open = open;
    this.#onGap = onGap;
    this.#forgetReconnects = connection.onReconnect(() => void this.#renew());
  }

  /** @param open begins the watch and gives the function that ends it */
  static async start(
    connection: Connection,
    open: () => Promise<() => void>,
    onGap: () => void,
  ): Promise<RenewedWatch> {
    const watch = new RenewedWatch(connection, open, onGap);
    watch.#close = await open();
    return watch;
  }

  stop(): void {
    this.#isStopped = true;
    this.#forgetReconnects();
    this.#close();
  }

  async #renew(): Promise<void> {
    if (this.#isStopped) return;
    this.#close();
    try {
      this.#close = await this.#open();
      this.#onGap();
    } catch {
      setTimeout(() => void this.#renew(), retryDelay).unref();
    }
    if (this.#isStopped) this.#close();
  }
}
