/** Runs jobs of one key one after the other, jobs of different keys side by side. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<Result>(key: string, job: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key);
    const result = before ? before.then(job, job) : job();
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return result;
  }

  /** Resolves when all that was given so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
