import { RelayError } from '@relay/protocol';

export interface ReadTurnsOptions {
  readonly atOnce: number;
  /** Milliseconds that a read waits for its turn. */
  readonly patience: number;
}

/** The server cuts off a connection for which 64 MiB wait, and a message may have 7. */
export const readsOfOne: ReadTurnsOptions = { atOnce: 8, patience: 5_000 };
/** The server sends up to 32 MiB ahead to each that reads many. */
export const readsOfMany: ReadTurnsOptions = { atOnce: 1, patience: 30_000 };

/** Lets reads take turns: nobody knows before how large an answer is. */
export class ReadTurns {
  readonly #options: ReadTurnsOptions;
  readonly #waiting = new Set<() => void>();
  #reading = 0;

  constructor(options: ReadTurnsOptions) {
    this.#options = options;
  }

  /** @throws RelayError unavailable where its turn does not come */
  async run<Result>(read: () => Promise<Result>): Promise<Result> {
    await this.#take();
    try {
      return await read();
    } finally {
      this.#give();
    }
  }

  async #take(): Promise<void> {
    if (this.#reading < this.#options.atOnce) this.#reading += 1;
    else await this.#wait();
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(new RelayError({ error: 'unavailable', retryAfterSeconds: 1 }));
      }, this.#options.patience);
      this.#waiting.add(start);
    });
  }

  #give(): void {
    const [next] = this.#waiting;
    if (!next) this.#reading -= 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
