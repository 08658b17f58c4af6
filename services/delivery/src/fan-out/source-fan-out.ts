import {
  type Lease,
  type LeaseHandlers,
  type Partition,
  partitionCount,
  partitionOfSubject,
  type Reader,
} from '@relay/bus';
import type { ChangeSource } from './change-source.ts';
import type { InboxWriter } from './inbox-writer.ts';
import { type FanOutContext, PartitionFanOut } from './partition-fan-out.ts';

const saveInterval = 250;
const wholeStream = 'all';

/** Turns the changes of one source, in the partitions whose leases this replica holds, into events. */
export class SourceFanOut implements LeaseHandlers {
  readonly #context: FanOutContext;
  readonly #source: ChangeSource;
  readonly #writer: InboxWriter;
  readonly #partitions = new Map<Partition, PartitionFanOut>();
  readonly #readers = new Map<string, Reader>();
  readonly #forgetReconnects: () => void;
  #saveTimer: NodeJS.Timeout | undefined;

  constructor(context: FanOutContext, source: ChangeSource, writer: InboxWriter) {
    this.#context = context;
    this.#source = source;
    this.#writer = writer;
    this.#forgetReconnects = context.bus.onReconnect(() => void this.#findRolledBack());
  }

  /** Whether all that is owned is being read. */
  isReady(): boolean {
    return this.#reading().length === this.#partitions.size;
  }

  acquired(lease: Lease): void {
    void this.#takeOver(this.#add(lease));
  }

  async lost(name: string): Promise<void> {
    const partition = this.#partitions.get(Number(name));
    this.#partitions.delete(Number(name));
    this.#arrangeReaders();
    await partition?.close();
  }

  close(): void {
    clearTimeout(this.#saveTimer);
    this.#forgetReconnects();
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  #reading(): PartitionFanOut[] {
    return [...this.#partitions.values()].filter(({ nextSequence }) => nextSequence !== undefined);
  }

  /** One unfiltered reader for all partitions: 8 filtered ones would cost a third of the append rate. */
  #arrangeReaders(): void {
    const reading = this.#reading();
    const wanted = new Map(
      reading.length === partitionCount
        ? [[wholeStream, reading]]
        : reading.map((partition) => [this.#source.subjectsOf(partition.partition), [partition]]),
    );
    for (const [filter, reader] of this.#readers) {
      if (wanted.has(filter)) continue;
      reader.close();
      this.#readers.delete(filter);
    }
    for (const [filter, partitions] of wanted) {
      if (!this.#readers.has(filter)) this.#readers.set(filter, this.#open(filter, partitions));
    }
  }

  #open(filter: string, partitions: readonly PartitionFanOut[]): Reader {
    return this.#context.bus.read({
      stream: this.#source.stream.name,
      filter: filter === wholeStream ? undefined : filter,
      startSequence: Math.min(...partitions.map(({ nextSequence = 1 }) => nextSequence)),
      onMessage: async (message) => {
        await this.#partitions.get(partitionOfSubject(message.subject))?.accept(message);
        this.#saveSoon();
      },
    });
  }

  /** A store that was rolled back gives sequences that were read to changes that were not. */
  async #findRolledBack(): Promise<void> {
    for (const partition of this.#reading()) {
      // Where it cannot be known the connection is down again, and the next one leads here again.
      if (await partition.isRolledBack().catch(() => false)) await this.#beginAgain(partition);
    }
  }

  /** What begins again takes its place at once: it may be lost before anything of it has begun. */
  async #beginAgain(partition: PartitionFanOut): Promise<void> {
    if (this.#partitions.get(partition.partition) !== partition) return;
    const next = this.#add(partition.lease);
    this.#arrangeReaders();
    await partition.close();
    this.#writer.forget();
    await this.#takeOver(next);
  }

  #add(lease: Lease): PartitionFanOut {
    const partition = new PartitionFanOut(this.#context, this.#source, this.#writer, lease);
    this.#partitions.set(partition.partition, partition);
    return partition;
  }

  async #takeOver(partition: PartitionFanOut): Promise<void> {
    await partition.takeOver();
    this.#arrangeReaders();
  }

  #saveSoon(): void {
    this.#saveTimer ??= setTimeout(() => void this.#save(), saveInterval).unref();
  }

  async #save(): Promise<void> {
    this.#saveTimer = undefined;
    const partitions = [...this.#partitions.values()];
    const saved = await Promise.all(partitions.map((partition) => partition.save()));
    if (!saved.every((isSaved) => isSaved)) this.#saveSoon();
  }
}
