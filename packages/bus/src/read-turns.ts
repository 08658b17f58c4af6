import { RelayError } from '@relay/protocol';

/** The server cuts off a connection for which 64 MiB wait, and a message may have 7. */
const readsAtOnce = 8;
/** Milliseconds that a read waits for its turn. */
const patience = 5_000;

/** Lets reads take turns: nobody knows before how large an answer is. */
export class ReadTurns {
  readonly #waiting = new Set<() => void>();
  #reading = 0;

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
    if (this.#reading < readsAtOnce) this.#reading += 1;
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
      }, patience);
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
