import { Backoff } from '../http/backoff.ts';
import type { ConnectionEnd } from './connection-end.ts';

/** How long to wait before the next connection. */
export class Patience {
  readonly #backoff: Backoff;
  #hasHandlerFailed = false;

  constructor(backoff = new Backoff()) {
    this.#backoff = backoff;
  }

  /** A handler that fails does so on a connection that works: connecting proves nothing then. */
  connected(): void {
    if (!this.#hasHandlerFailed) this.#backoff.reset();
  }

  acknowledged(): void {
    this.#hasHandlerFailed = false;
    this.#backoff.reset();
  }

  /** Those that Relay asked at once to wait come back spread, too. */
  waitAfter(end: ConnectionEnd): number {
    if (end.kind === 'handler_failed') this.#hasHandlerFailed = true;
    const asked = end.kind === 'lost' ? (end.waitMilliseconds ?? 0) : 0;
    return asked + this.#backoff.next();
  }
}
