/** Waits with full jitter: each up to a ceiling that doubles, so that many clients do not come back at once. */
export class Backoff {
  readonly #firstMilliseconds: number;
  readonly #longestMilliseconds: number;
  readonly #random: () => number;
  #waits = 0;

  constructor(
    firstMilliseconds = 500,
    longestMilliseconds = 30_000,
    random: () => number = Math.random,
  ) {
    this.#firstMilliseconds = firstMilliseconds;
    this.#longestMilliseconds = longestMilliseconds;
    this.#random = random;
  }

  /** The next wait in milliseconds. */
  next(): number {
    const ceiling = Math.min(this.#longestMilliseconds, this.#firstMilliseconds * 2 ** this.#waits);
    this.#waits += 1;
    return this.#random() * ceiling;
  }

  reset(): void {
    this.#waits = 0;
  }
}
