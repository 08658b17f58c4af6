import type { Stream, StreamBounds } from '@relay/bus';

/** Reads what INBOX still holds: one reading serves all that asked for it before it began. */
export class InboxBounds {
  readonly #inbox: Stream;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<StreamBounds> | undefined;

  constructor(inbox: Stream) {
    this.#inbox = inbox;
  }

  /**
   * The bounds at a moment after the call.
   * @throws RelayError unavailable
   */
  read(): Promise<StreamBounds> {
    this.#next ??= this.#readAfter(this.#current);
    return this.#next;
  }

  async #readAfter(current: Promise<unknown>): Promise<StreamBounds> {
    await current.catch(() => undefined);
    // What is asked for from here on may be about what is stored later.
    this.#current = this.#next ?? Promise.resolve();
    this.#next = undefined;
    return this.#inbox.bounds();
  }
}
