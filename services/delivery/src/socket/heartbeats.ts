const limitMilliseconds = 60_000;
const sweepMilliseconds = 1_000;

export interface Beating {
  /** No ping came for too long. */
  onSilence(): void;
}

/** Watches the pings of all sockets with one timer. */
export class Heartbeats {
  /** When each was last heard, by the monotonic clock; the longest silent comes first. */
  readonly #lastHeard = new Map<Beating, number>();
  readonly #timer = setInterval(() => this.#sweep(), sweepMilliseconds).unref();

  beat(beating: Beating): void {
    this.#lastHeard.delete(beating);
    this.#lastHeard.set(beating, performance.now());
  }

  remove(beating: Beating): void {
    this.#lastHeard.delete(beating);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    const limit = performance.now() - limitMilliseconds;
    for (const [beating, heardAt] of this.#lastHeard) {
      if (heardAt > limit) return;
      this.#lastHeard.delete(beating);
      beating.onSilence();
    }
  }
}
