import {
  type Bus,
  type Partition,
  partitionCount,
  partitionOfSubject,
  type Reader,
  type StreamMessage,
  streams,
  subjects,
} from '@relay/bus';

const wholeStream = 'all';

/** Tells of each message that INBOX stores in some partitions, by its header alone. */
export class InboxNews {
  readonly #bus: Bus;
  readonly #onStored: (message: StreamMessage) => void;
  readonly #wanted = new Set<Partition>();
  /** The next sequence of each that is followed. */
  readonly #partitions = new Map<Partition, number>();
  readonly #readers = new Map<string, Reader>();

  constructor(bus: Bus, onStored: (message: StreamMessage) => void) {
    this.#bus = bus;
    this.#onStored = onStored;
  }

  /**
   * Resolves when all is told that is stored from then on.
   * @throws RelayError unavailable
   */
  async follow(partition: Partition): Promise<void> {
    this.#wanted.add(partition);
    if (this.#partitions.has(partition)) return;
    const next = (await this.#bus.inbox.stream.lastSequence()) + 1;
    // Meanwhile it may have been left, or somebody else asked for it, who hears from an earlier one on.
    if (!this.#wanted.has(partition) || this.#partitions.has(partition)) return;
    this.#partitions.set(partition, next);
    this.#arrangeReaders();
  }

  /** Of the last message that was told of, or that was there before. */
  get lastSequence(): number {
    return Math.max(0, ...this.#partitions.values()) - 1;
  }

  leave(partition: Partition): void {
    this.#wanted.delete(partition);
    if (this.#partitions.delete(partition)) this.#arrangeReaders();
  }

  close(): void {
    this.#wanted.clear();
    this.#partitions.clear();
    this.#arrangeReaders();
  }

  /** One unfiltered reader for all partitions: 8 filtered ones would cost a third of the append rate. */
  #arrangeReaders(): void {
    const partitions = [...this.#partitions.keys()];
    const wanted = new Map(
      partitions.length === partitionCount
        ? [[wholeStream, partitions]]
        : partitions.map((partition) => [subjects.inboxesOf(partition), [partition]]),
    );
    for (const [filter, reader] of this.#readers) {
      if (wanted.has(filter)) continue;
      reader.close();
      this.#readers.delete(filter);
    }
    for (const [filter, of] of wanted) {
      if (!this.#readers.has(filter)) this.#readers.set(filter, this.#open(filter, of));
    }
  }

  #open(filter: string, partitions: readonly Partition[]): Reader {
    const next = partitions.map((partition) => this.#partitions.get(partition) ?? 1);
    return this.#bus.read({
      stream: streams.inbox,
      filter: filter === wholeStream ? undefined : filter,
      headersOnly: true,
      startSequence: Math.min(...next),
      onMessage: async (message) => this.#take(message),
    });
  }

  #take(message: StreamMessage): void {
    const partition = partitionOfSubject(message.subject);
    const next = this.#partitions.get(partition);
    if (next === undefined || message.sequence < next) return;
    this.#partitions.set(partition, message.sequence + 1);
    this.#onStored(message);
  }
}
