/** Runs work of one key in order, and of different keys at the same time, up to a limit. */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Work behind one that failed fails with it: run alone, it would be out of order. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const tail = before.then(() => this.#withinLimit(work));
    this.#tails.set(key, tail);
    const forget = () => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    tail.then(forget, forget);
    return tail;
  }

  async #withinLimit(work: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      this.#passOn();
    }
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
