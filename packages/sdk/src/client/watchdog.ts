/** Aborts what nobody has fed for a while: a dead connection shows itself by silence only. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Error(`Nothing came for ${milliseconds} ms.`));
    }, milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  feed(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
