import { LRUCache } from 'lru-cache';

/** How long a registry entry is believed: revocation must hold everywhere within a second. */
export const registryBelief = 500;
const maximumEntries = 20_000;
const sweepMilliseconds = 5_000;

/** A read that is shared by all who ask within its lifetime, also for what is not there. */
export class RegistryCache<Value> {
  #willSweep = false;
  readonly #read: (key: string) => Promise<Value | undefined>;
  /** An entry is as old as its read is since it began. */
  readonly #reads = new LRUCache<string, Promise<Value | undefined>>({
    max: maximumEntries,
    ttl: registryBelief,
  });

  constructor(read: (key: string) => Promise<Value | undefined>) {
    this.#read = read;
  }

  get(key: string): Promise<Value | undefined> {
    return this.#reads.get(key) ?? this.#start(key);
  }

  /** The last read, however old, where nothing was heard of the key since. */
  lastRead(key: string): Promise<Value | undefined> | undefined {
    return this.#reads.peek(key, { allowStale: true });
  }

  forget(key: string): void {
    this.#reads.delete(key);
  }

  clear(): void {
    this.#reads.clear();
  }

  #start(key: string): Promise<Value | undefined> {
    const read = this.#read(key);
    this.#reads.set(key, read);
    this.#sweepLater();
    // Whoever comes next tries again.
    read.catch(() => this.#reads.peek(key) === read && this.#reads.delete(key));
    return read;
  }

  /** What nobody asks for again would stay until the cache is full. */
  #sweepLater(): void {
    if (this.#willSweep) return;
    this.#willSweep = true;
    const sweep = () => {
      this.#willSweep = false;
      this.#reads.purgeStale();
      if (this.#reads.size > 0) this.#sweepLater();
    };
    setTimeout(sweep, sweepMilliseconds).unref();
  }
}
