import { type ChangeId, changeIdSchema } from '@relay/protocol';
import { z } from 'zod';
import type { Bucket, Entry } from './bucket.ts';

export const checkpointSchema = z.object({
  /** The last message up to which everything is done; 0 before the first. */
  sequence: z.int().min(0),
  /** The change in that message: another one there means that the store was rolled back. */
  changeId: changeIdSchema.nullable(),
  /** Raised by each owner before it reads; a higher one means that there is another owner. */
  epoch: z.int().min(0),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** Where an ordered reader of one stream or partition is, kept by its one live owner. */
export class CheckpointKeeper {
  readonly #bucket: Bucket<Checkpoint>;
  readonly #key: string;
  #entry: Entry<Checkpoint> | undefined;

  constructor(bucket: Bucket<Checkpoint>, key: string) {
    this.#bucket = bucket;
    this.#key = key;
  }

  /** Takes over: whoever held it before can save no more. */
  async take(): Promise<Checkpoint> {
    this.#entry = await this.#bucket.change(this.#key, (checkpoint) => ({
      sequence: checkpoint?.sequence ?? 0,
      changeId: checkpoint?.changeId ?? null,
      epoch: (checkpoint?.epoch ?? 0) + 1,
    }));
    if (!this.#entry) throw new Error('A checkpoint was not taken');
    return this.#entry.value;
  }

  /** @returns false where another owner took over: stop */
  async save(sequence: number, changeId: ChangeId | null): Promise<boolean> {
    if (!this.#entry) return false;
    const { epoch } = this.#entry.value;
    const value = { sequence, changeId, epoch };
    const revision = await this.#bucket.update(this.#key, value, this.#entry.revision);
    if (revision !== undefined) {
      this.#entry = { value, revision };
      return true;
    }
    // Ours may have been written by a save whose answer was lost.
    const current = await this.#bucket.get(this.#key);
    if (current?.value.epoch !== epoch) return false;
    this.#entry = current;
    return true;
  }
}
