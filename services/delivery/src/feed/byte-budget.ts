/** Bytes that all feeds of a process together read ahead. */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get hasRoom(): boolean {
    return this.#used < this.#limit;
  }

  /** @param bytes below 0 gives back */
  use(bytes: number): void {
    this.#used += bytes;
  }
}
