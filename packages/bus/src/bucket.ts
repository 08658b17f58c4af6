import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { z } from 'zod';
import { type Connection, whileAvailable } from './connection.ts';
import { RenewedWatch } from './renewed-watch.ts';
import type { Requests } from './requests.ts';
import { directRead, fromDirect, textOf } from './stream.ts';

export interface Entry<Value> {
  readonly value: Value;
  readonly revision: number;
}

export interface BucketOptions<Value> {
  readonly connection: Connection;
  readonly manager: JetStreamManager;
  /** By which it is read where one server alone has it. */
  readonly direct?: Requests | undefined;
  readonly name: string;
  readonly kv: KV;
  readonly prefix: string;
  readonly schema: z.ZodType<Value>;
}

const conflictCode = 10071;

/** JSON values of one kind under one key prefix of a KV bucket; every write is compare-and-set. */
export class Bucket<Value> {
  readonly #connection: Connection;
  readonly #manager: JetStreamManager;
  readonly #direct: Requests | undefined;
  readonly #name: string;
  readonly #kv: KV;
  readonly #prefix: string;
  readonly #schema: z.ZodType<Value>;

  constructor({ connection, manager, direct, name, kv, prefix, schema }: BucketOptions<Value>) {
    this.#connection = connection;
    this.#manager = manager;
    this.#direct = direct;
    this.#name = name;
    this.#kv = kv;
    this.#prefix = prefix;
    this.#schema = schema;
  }

  async get(key: string): Promise<Entry<Value> | undefined> {
    if (this.#direct) return this.#getDirect(this.#direct, this.#prefix + key);
    const entry = await whileAvailable(this.#connection, () => this.#kv.get(this.#prefix + key));
    if (entry?.operation !== 'PUT') return undefined;
    return { value: this.#schema.parse(entry.json()), revision: entry.revision };
  }

  async #getDirect(requests: Requests, key: string): Promise<Entry<Value> | undefined> {
    const query = { last_by_subj: `$KV.${this.#name}.${key}` };
    const message = fromDirect(await requests.send(directRead(`KV_${this.#name}`, query)));
    // A deletion leaves a marker without a body.
    if (!message || message.data.length === 0) return undefined;
    return {
      value: this.#schema.parse(JSON.parse(textOf(message.data))),
      revision: message.sequence,
    };
  }

  /** @returns the revision, or undefined where the key is taken */
  create(key: string, value: Value): Promise<number | undefined> {
    return this.#write(() => this.#kv.create(this.#prefix + key, JSON.stringify(value)));
  }

  /** @returns the new revision, or undefined where the key's is not the given one */
  update(key: string, value: Value, revision: number): Promise<number | undefined> {
    return this.#write(() => this.#kv.update(this.#prefix + key, JSON.stringify(value), revision));
  }

  /**
   * Reads, changes and writes, again on conflict, until it is written or the change asks for nothing.
   * @param change gives the new value, or undefined to leave it
   */
  async change(
    key: string,
    change: (value: Value | undefined) => Value | undefined,
  ): Promise<Entry<Value> | undefined> {
    for (;;) {
      const entry = await this.get(key);
      const value = change(entry?.value);
      if (value === undefined) return undefined;
      const revision = entry
        ? await this.update(key, value, entry.revision)
        : await this.create(key, value);
      if (revision !== undefined) return { value, revision };
    }
  }

  async delete(key: string): Promise<void> {
    await whileAvailable(this.#connection, () => this.#kv.delete(this.#prefix + key));
  }

  /**
   * Removes a key for good: a deletion leaves a marker. Nobody may write it meanwhile.
   * @param key may hold wildcards: then all that it names
   */
  async purge(key: string): Promise<void> {
    const filter = `$KV.${this.#name}.${this.#prefix}${key}`;
    await whileAvailable(this.#connection, () =>
      this.#manager.streams.purge(`KV_${this.#name}`, { filter }),
    );
  }

  /** Deletes the key if its revision is still the given one. */
  async deleteAt(key: string, revision: number): Promise<boolean> {
    const deleted = await this.#write(async () => {
      await this.#kv.delete(this.#prefix + key, { previousSeq: revision });
      return revision;
    });
    return deleted !== undefined;
  }

  /**
   * The keys that begin so, without the bucket's prefix; those deleted may be among them. It reads them all:
   * not for a request's path. The client's own way leaves a consumer on the server for five minutes.
   */
  async keys(beginning = ''): Promise<string[]> {
    const before = `$KV.${this.#name}.${this.#prefix}`;
    const { state } = await whileAvailable(this.#connection, () =>
      this.#manager.streams.info(`KV_${this.#name}`, { subjects_filter: `${before}${beginning}>` }),
    );
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(before.length));
  }

  /**
   * Hears of each change from now on.
   * @param keys which ones; it may hold wildcards
   * @param onGap called after a reconnect: what was changed meanwhile is not told
   * @returns a function that ends the watch
   */
  async watch(
    keys: string,
    listener: (key: string, operation: 'put' | 'removed') => void,
    onGap: () => void,
  ): Promise<() => void> {
    const watch = await RenewedWatch.start(
      this.#connection,
      () => this.#openWatch(keys, listener),
      onGap,
    );
    return () => watch.stop();
  }

  async #openWatch(keys: string, listener: (key: string, operation: 'put' | 'removed') => void) {
    const watcher = await whileAvailable(this.#connection, () =>
      this.#kv.watch({ key: this.#prefix + keys, include: 'updates' }),
    );
    const follow = async (entries: AsyncIterable<KvWatchEntry>) => {
      for await (const { key, operation } of entries) {
        listener(key.slice(this.#prefix.length), operation === 'PUT' ? 'put' : 'removed');
      }
    };
    void follow(watcher);
    return () => watcher.stop();
  }

  #write(write: () => Promise<number>): Promise<number | undefined> {
    return whileAvailable(this.#connection, async () => {
      try {
        return await write();
      } catch (error) {
        if (error instanceof JetStreamApiError && error.code === conflictCode) return undefined;
        throw error;
      }
    });
  }
}
