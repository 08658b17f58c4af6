import type { KV, KvWatchEntry } from '@nats-io/kv';
import { Empty } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Appender } from './appender.ts';
import { type Connection, unavailable, whileAvailable } from './connection.ts';
import { RenewedWatch } from './renewed-watch.ts';
import { type Stream, type StreamMessage, textOf } from './stream.ts';
import { subjects } from './subjects.ts';

export interface Entry<Value> {
  readonly value: Value;
  readonly revision: number;
}

export interface BucketOptions<Value> {
  readonly connection: Connection;
  readonly name: string;
  /** The bucket as the stream that it is. */
  readonly stream: Stream;
  readonly appender: Appender;
  readonly kv: KV;
  readonly prefix: string;
  readonly schema: z.ZodType<Value>;
}

/** JSON values of one kind under one key prefix of a KV bucket; every write is compare-and-set. */
export class Bucket<Value> {
  readonly #connection: Connection;
  readonly #name: string;
  readonly #stream: Stream;
  readonly #appender: Appender;
  readonly #kv: KV;
  readonly #prefix: string;
  readonly #schema: z.ZodType<Value>;

  constructor({ connection, name, stream, appender, kv, prefix, schema }: BucketOptions<Value>) {
    this.#connection = connection;
    this.#name = name;
    this.#stream = stream;
    this.#appender = appender;
    this.#kv = kv;
    this.#prefix = prefix;
    this.#schema = schema;
  }

  async get(key: string): Promise<Entry<Value> | undefined> {
    return entryIn(await this.#stream.readSmall(this.#subject(key)), this.#schema);
  }

  /** @returns the revision, or undefined where the key is taken or somebody else is writing it */
  async create(key: string, value: Value): Promise<number | undefined> {
    const revision = await this.update(key, value, 0);
    if (revision !== undefined) return revision;
    const last = await this.#stream.readSmall(this.#subject(key));
    return last && isMarker(last) ? this.update(key, value, last.sequence) : undefined;
  }

  /** @returns the new revision, or undefined where the key's is not the given one */
  update(key: string, value: Value, revision: number): Promise<number | undefined> {
    return this.#write(key, Buffer.from(JSON.stringify(value)), {}, revision);
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
      const last = await this.#stream.readSmall(this.#subject(key));
      const value = change(entryIn(last, this.#schema)?.value);
      if (value === undefined) return undefined;
      // Also after a deletion it is written at once: what allowed the change may be over after a second try.
      const revision = await this.update(key, value, last?.sequence ?? 0);
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
    await this.#stream.purge(this.#subject(key));
  }

  /** Deletes the key if its revision is still the given one. */
  async deleteAt(key: string, revision: number): Promise<boolean> {
    const marker = await this.#write(key, Empty, { 'KV-Operation': 'DEL' }, revision);
    return marker !== undefined;
  }

  /**
   * The keys that begin so, without the bucket's prefix; those deleted may be among them. It reads them all:
   * not for a request's path. The client's own way leaves a consumer on the server for five minutes.
   */
  async keys(beginning = ''): Promise<string[]> {
    const found = await this.#stream.subjects(`${this.#subject(beginning)}>`);
    return found.map((subject) => subject.slice(this.#subject('').length));
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

  async #write(
    key: string,
    payload: Uint8Array,
    headers: Readonly<Record<string, string>>,
    expectedLastSequence: number,
  ): Promise<number | undefined> {
    const subject = this.#subject(key);
    const outcome = await this.#appender.append({
      subject,
      payload,
      headers,
      expectedLastSequence,
    });
    switch (outcome.type) {
      case 'appended':
        return outcome.sequence;
      case 'conflict':
      case 'contended':
        return undefined;
      case 'unknown':
      case 'unavailable':
        throw unavailable(outcome);
    }
  }

  #subject(key: string): string {
    return subjects.key(this.#name, this.#prefix + key);
  }
}

/** Reads the last message of a key; undefined where the key has no value. */
export function entryIn<Value>(
  message: StreamMessage | undefined,
  schema: z.ZodType<Value>,
): Entry<Value> | undefined {
  if (!message || isMarker(message)) return undefined;
  return { value: schema.parse(JSON.parse(textOf(message.data))), revision: message.sequence };
}

/** What a deletion leaves: the next value of the key is written after it. */
function isMarker({ data }: StreamMessage): boolean {
  return data.length === 0;
}
