import { unreachable } from './request-error.ts';

/** Ends what nobody has fed for a while: a dead connection shows itself by silence only. */
export class Watchdog {
  /** Aborts when it was not fed, or with the signal of the caller. */
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number, callers: AbortSignal | undefined) {
    const silence = new AbortController();
    this.#timer = setTimeout(() => {
      silence.abort(unreachable(new Error(`Nothing came for ${milliseconds} ms.`)));
    }, milliseconds);
    this.signal = callers ? AbortSignal.any([silence.signal, callers]) : silence.signal;
  }

  feed(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
