import { type ChangeId, changeIdSchema } from '@relay/protocol';
import { z } from 'zod';
import type { Bucket, Entry } from './bucket.ts';
import type { Lease } from './leases.ts';

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

  /**
   * Takes over: whoever held it before can save no more. One who comes late, since its process stood still,
   * would take it from its owner for good, so the lease is looked at in the same tick as each write.
   * @returns undefined where the lease was lost before
   */
  async take(lease: Pick<Lease, 'isHeld'>): Promise<Checkpoint | undefined> {
    const raise = (checkpoint: Checkpoint | undefined) => ({
      sequence: checkpoint?.sequence ?? 0,
      changeId: checkpoint?.changeId ?? null,
      epoch: (checkpoint?.epoch ?? 0) + 1,
    });
    this.#entry = await this.#bucket.change(this.#key, (checkpoint) =>
      lease.isHeld() ? raise(checkpoint) : undefined,
    );
    return this.#entry?.value;
  }

  /** @returns false where another owner took over: stop */
  async save(sequence: number, changeId: ChangeId | null): Promise<boolean> {
    while (this.#entry) {
      const { epoch } = this.#entry.value;
      const value = { sequence, changeId, epoch };
      const revision = await this.#bucket.update(this.#key, value, this.#entry.revision);
      if (revision !== undefined) {
        this.#entry = { value, revision };
        return true;
      }
      // A save whose answer was lost may have been stored, this one or one before it.
      const current = await this.#bucket.get(this.#key);
      if (current?.value.epoch !== epoch) return false;
      this.#entry = current;
      if (current.value.sequence === sequence) return true;
    }
    return false;
  }
}
