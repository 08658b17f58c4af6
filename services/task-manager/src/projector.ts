import {
  type Bus,
  type Lease,
  type Reader,
  type Stream,
  type StreamMessage,
  subjects,
} from '@relay/bus';
import type { Logger } from '@relay/runtime';
import { WakeUp } from './wake-up.ts';

const maximumBatch = 500;
/** Milliseconds in which changes gather for one batch, unless a list waits for them. */
const gatheringTime = 20;
const checkInterval = 5_000;
const retryDelay = 200;

interface Waiting<Entry> {
  readonly sequence: number;
  readonly entry: Entry | undefined;
  readonly done: () => void;
}

/** An index of a record. */
export interface Projection<Entry> {
  readonly record: Stream;
  /** Of all its messages. */
  readonly subjects: string;
  /** What a message of the record says to the index, if anything. */
  readonly read: (message: StreamMessage) => Entry | undefined;
  /** Last sequence that is in the index. */
  readonly progress: () => Promise<number>;
  /** Takes a batch in and moves the progress; false where that is not the one expected. */
  readonly apply: (
    entries: readonly Entry[],
    expected: number,
    progress: number,
  ) => Promise<boolean>;
}

export interface ProjectorOptions<Entry> {
  readonly bus: Bus;
  readonly projection: Projection<Entry>;
  readonly logger: Logger;
}

/**
 * Keeps an index in step with the record: reads headers in stream order and writes them in
 * batches. What Redis says it holds decides where to go on, so a flush or a second projector is noticed
 * by the next batch, by a lister's nudge, or by the check every 5 s.
 */
export class Projector<Entry> {
  readonly #options: ProjectorOptions<Entry>;
  readonly #lease: Lease;
  readonly #wakeUp = new WakeUp();
  readonly #urgency = new WakeUp();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  readonly #loop: Promise<void>;
  #reader: Reader | undefined;
  /** Sequence that Redis holds, as far as this projector knows. */
  #progress = 0;
  #waiting: Waiting<Entry>[] = [];
  #mustCheck = true;
  #isClosed = false;

  constructor(options: ProjectorOptions<Entry>, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
    this.#timer = setInterval(() => this.#checkSoon(), checkInterval);
    const nudges = options.bus.live.subscribeCore(subjects.nudgeProjector, () => this.#checkSoon());
    nudges.ready.catch(() => undefined);
    this.#unsubscribe = () => nudges.unsubscribe();
    this.#loop = this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#reader?.close();
    this.#checkSoon();
    await this.#loop;
  }

  #checkSoon(): void {
    this.#mustCheck = true;
    this.#wakeUp.notify();
    this.#urgency.notify();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#step().catch((error: unknown) => this.#retryLater(error));
      await this.#wakeUp.wait();
      await this.#urgency.wait(gatheringTime);
    }
  }

  async #step(): Promise<void> {
    if (this.#mustCheck) {
      await this.#goOnFromStored();
      await this.#passRemoved();
    }
    while (this.#waiting.length > 0 && this.#lease.isHeld() && !this.#isClosed) {
      if (!(await this.#writeBatch())) await this.#goOnFromStored();
    }
  }

  async #goOnFromStored(): Promise<void> {
    const stored = await this.#options.projection.progress();
    this.#mustCheck = false;
    if (this.#isClosed || (this.#reader && stored === this.#progress)) return;
    this.#reader?.close();
    this.#waiting = [];
    this.#progress = stored;
    this.#reader = this.#options.bus.read({
      stream: this.#options.projection.record.name,
      startSequence: stored + 1,
      headersOnly: true,
      onMessage: (message) =>
        new Promise((done) => {
          this.#waiting.push({ sequence: message.sequence, entry: this.#read(message), done });
          this.#wakeUp.notify();
        }),
    });
  }

  /** What cannot be read must not hold up what follows it. */
  #read(message: StreamMessage): Entry | undefined {
    try {
      return this.#options.projection.read(message);
    } catch (error) {
      const { sequence, subject } = message;
      this.#options.logger.error({ sequence, subject, err: error }, 'projector.unreadable');
      return undefined;
    }
  }

  /** Nothing is heard of messages that were removed unread, and lists would wait for them. */
  async #passRemoved(): Promise<void> {
    const { record, subjects: all } = this.#options.projection;
    const last = await record.lastSequence();
    if (last <= this.#progress || this.#waiting.length > 0) return;
    const present = await record.readLast(all);
    if ((present?.sequence ?? 0) > this.#progress || this.#waiting.length > 0) return;
    this.#waiting.push({ sequence: last, entry: undefined, done: () => undefined });
  }

  async #writeBatch(): Promise<boolean> {
    const batch = this.#waiting.slice(0, maximumBatch);
    const progress = batch.at(-1)?.sequence ?? this.#progress;
    const entries = batch.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    const { projection } = this.#options;
    if (!(await projection.apply(entries, this.#progress, progress))) return false;
    this.#progress = progress;
    this.#waiting.splice(0, batch.length);
    for (const { done } of batch) done();
    this.#options.bus.live.publish(subjects.projected, String(progress));
    return true;
  }

  /** Redis is away, or a batch's fate is unknown: what it holds then decides. */
  #retryLater(error: unknown): void {
    this.#options.logger.debug({ err: error }, 'projector.waits');
    setTimeout(() => this.#checkSoon(), retryDelay).unref();
  }
}
