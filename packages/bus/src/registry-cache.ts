import { LRUCache } from 'lru-cache';

/** How long a registry entry is believed: revocation must hold everywhere within a second. */
const timeToLive = 500;
const maximumEntries = 20_000;

/** A read that is shared by all who ask within its lifetime, also for what is not there. */
export class RegistryCache<Value> {
  readonly #cache: LRUCache<string, { readonly value: Value | undefined }>;

  constructor(read: (key: string) => Promise<Value | undefined>) {
    this.#cache = new LRUCache<string, { readonly value: Value | undefined }>({
      max: maximumEntries,
      ttl: timeToLive,
      // Forgetting an entry that is being read must not fail those who wait for it.
      ignoreFetchAbort: true,
      fetchMethod: async (key) => ({ value: await read(key) }),
    });
  }

  async get(key: string): Promise<Value | undefined> {
    return (await this.#cache.fetch(key))?.value;
  }

  forget(key: string): void {
    this.#cache.delete(key);
  }

  clear(): void {
    this.#cache.clear();
  }
}
