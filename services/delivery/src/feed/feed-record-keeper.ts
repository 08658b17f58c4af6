import type { Bucket, Entry, StreamMessage } from '@relay/bus';
import { type FeedRecord, feedRecordSchema, newFeedRecord } from './feed-record.ts';

/** @param isOlder the store has gone back to what it held before */
type Listener = (record: FeedRecord, isOlder: boolean) => void;

const nothing: Promise<void> = Promise.resolve();

/** One agent's feed record as this process knows it, written by compare-and-set. */
export class FeedRecordKeeper {
  readonly #bucket: Bucket<FeedRecord>;
  readonly #key: string;
  readonly #onRecord: Listener;
  #entry: Entry<FeedRecord> | undefined;
  #isUncertain = false;
  #changing = nothing;

  /** @param onRecord hears of each record that is new to this process, before a change resolves */
  constructor(bucket: Bucket<FeedRecord>, key: string, onRecord: Listener) {
    this.#bucket = bucket;
    this.#key = key;
    this.#onRecord = onRecord;
  }

  get record(): FeedRecord {
    return this.#entry?.value ?? newFeedRecord;
  }

  /** Whether a write is on its way, or may have been stored although no answer came. */
  get isUncertain(): boolean {
    return this.#isUncertain;
  }

  async read(): Promise<void> {
    const before = this.#entry;
    const entry = await this.#bucket.get(this.#key);
    // What was heard meanwhile is newer; but a store that was rolled back has older revisions.
    if (this.#entry !== before) return;
    this.#adopt(entry);
  }

  /** Takes what the bucket republished. */
  hear(message: StreamMessage): void {
    if (message.sequence <= (this.#entry?.revision ?? 0) || message.data.length === 0) return;
    const json: unknown = JSON.parse(Buffer.from(message.data).toString());
    const { data: value } = feedRecordSchema.safeParse(json);
    if (value) this.#adoptNewer({ value, revision: message.sequence });
  }

  /**
   * Writes what a change makes of the record, again after each conflict.
   * @param change gives undefined where there is nothing to write
   */
  change(change: (record: FeedRecord) => FeedRecord | undefined): Promise<void> {
    const changed = this.#changing.then(() => this.#write(change));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #write(change: (record: FeedRecord) => FeedRecord | undefined): Promise<void> {
    for (;;) {
      if (this.#isUncertain) await this.read();
      const value = change(this.record);
      this.#isUncertain = value !== undefined;
      if (value === undefined) return;
      const revision = this.#entry
        ? await this.#bucket.update(this.#key, value, this.#entry.revision)
        : await this.#bucket.create(this.#key, value);
      if (revision === undefined) continue;
      this.#isUncertain = false;
      return this.#adoptNewer({ value, revision });
    }
  }

  #adoptNewer(entry: Entry<FeedRecord>): void {
    if (entry.revision > (this.#entry?.revision ?? 0)) this.#adopt(entry);
  }

  #adopt(entry: Entry<FeedRecord> | undefined): void {
    const before = this.#entry?.revision ?? 0;
    const revision = entry?.revision ?? 0;
    this.#entry = entry;
    if (revision !== before) this.#onRecord(this.record, revision < before);
  }
}
