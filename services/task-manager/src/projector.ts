import {
  type Bus,
  type Lease,
  type Reader,
  type Stream,
  type StreamMessage,
  subjects,
} from '@relay/bus';
import { type Logger, ShownGauge } from '@relay/runtime';
import type { IndexProgress } from '@relay/store';
import { WakeUp } from './wake-up.ts';

const largestBatch = 500;
/** Milliseconds in which changes gather for one batch, unless a list waits for them. */
const gatheringTime = 20;
const checkInterval = 5_000;
const retryDelay = 200;

interface Waiting<Entry> extends ReadMessage<Entry> {
  readonly sequence: number;
  readonly done: () => void;
}

interface ReadMessage<Entry> {
  /** `null` where it cannot be read. */
  readonly changeId: string | null;
  /** What it says to the index, if anything. */
  readonly entry: Entry | undefined;
}

const lag = new ShownGauge({
  name: 'relay_projection_lag_seconds',
  help: 'How long an index has not held all of its record; 0 while it does.',
  labelNames: ['record'],
});

/** An index of a record. */
export interface Projection<Entry> {
  readonly record: Stream;
  /** Of all its messages. */
  readonly subjects: string;
  /** Whether it is made of more than the messages' headers. */
  readonly needsBodies?: true;
  /** How many messages are written at once; 500 unless said. */
  readonly largestBatch?: number;
  readonly read: (message: StreamMessage) => ReadMessage<Entry>;
  readonly progress: () => Promise<IndexProgress>;
  /** Forgets all that is in the index. */
  readonly clear: () => Promise<void>;
  /** Takes a batch in and moves the progress; false where that is not the one expected. */
  readonly apply: (
    entries: readonly Entry[],
    expected: number,
    progress: IndexProgress,
  ) => Promise<boolean>;
}

export interface ProjectorOptions<Entry> {
  readonly bus: Bus;
  readonly projection: Projection<Entry>;
  readonly logger: Logger;
}

/**
 * Keeps an index in step with the record: reads it in stream order and writes in batches. What Redis says it holds decides where to go on, so a flush or a second projector is noticed
 * by the next batch, by a lister's nudge, or by the check every 5 s. An index of what the record does not
 * hold any more, since its store was rolled back or restored, is made anew.
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
  #mustVerify = true;
  /** Since when the index is behind, by the monotonic clock. */
  #behindSince: number | undefined;
  #isClosed = false;

  constructor(options: ProjectorOptions<Entry>, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
    this.#timer = setInterval(() => this.#verifySoon(), checkInterval);
    const nudges = options.bus.live.subscribeCore(subjects.nudgeProjector, () => this.#checkSoon());
    nudges.ready.catch(() => undefined);
    const forgetReconnects = options.bus.onReconnect(() => this.#verifySoon());
    const hideLag = lag.show(() => [this.#showLag()]);
    this.#unsubscribe = () => {
      hideLag();
      nudges.unsubscribe();
      forgetReconnects();
    };
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

  #showLag() {
    const since = this.#behindSince;
    const value = since === undefined ? 0 : (performance.now() - since) / 1_000;
    return { labels: { record: this.#options.projection.record.name }, value };
  }

  #verifySoon(): void {
    this.#mustVerify = true;
    this.#checkSoon();
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
      if (this.#mustVerify) await this.#clearWhatIsNoMore();
      await this.#goOnFromStored();
      await this.#passRemoved();
    }
    while (this.#waiting.length > 0 && this.#lease.isHeld() && !this.#isClosed) {
      if (!(await this.#writeBatch())) await this.#goOnFromStored();
    }
    if (this.#waiting.length === 0) this.#behindSince = undefined;
  }

  async #clearWhatIsNoMore(): Promise<void> {
    const { projection, logger } = this.#options;
    // It tells which stream it is, and so which index.
    const last = await projection.record.lastSequence();
    const progress = await projection.progress();
    if (!(await this.#fits(progress, last)) && this.#lease.isHeld() && !this.#isClosed) {
      logger.warn({ stream: projection.record.name, ...progress }, 'projector.rolled_back');
      await projection.clear();
    }
    this.#mustVerify = false;
  }

  /**
   * Whether the record holds that change there. One that is gone was swept.
   * @param last the record's last sequence, read before; it may have grown since
   */
  async #fits({ sequence, changeId }: IndexProgress, last: number): Promise<boolean> {
    const { record } = this.#options.projection;
    if (sequence < 0 || (sequence > last && sequence > (await record.lastSequence()))) return false;
    if (changeId === null) return true;
    const message = await record.readAt(sequence);
    return message === undefined || this.#read(message).changeId === changeId;
  }

  async #goOnFromStored(): Promise<void> {
    const { sequence: stored } = await this.#options.projection.progress();
    this.#mustCheck = false;
    if (this.#isClosed || (this.#reader && stored === this.#progress)) return;
    this.#reader?.close();
    this.#waiting = [];
    this.#progress = stored;
    this.#reader = this.#options.bus.read({
      stream: this.#options.projection.record.name,
      startSequence: stored + 1,
      headersOnly: !this.#options.projection.needsBodies,
      onMessage: (message) =>
        new Promise((done) => {
          this.#waiting.push({ sequence: message.sequence, done, ...this.#read(message) });
          this.#behindSince ??= performance.now();
          this.#wakeUp.notify();
        }),
    });
  }

  /** What cannot be read must not hold up what follows it. */
  #read(message: StreamMessage): ReadMessage<Entry> {
    try {
      return this.#options.projection.read(message);
    } catch (error) {
      const { sequence, subject } = message;
      this.#options.logger.error({ sequence, subject, err: error }, 'projector.unreadable');
      return { changeId: null, entry: undefined };
    }
  }

  /** Nothing is heard of messages that were removed unread, and lists would wait for them. */
  async #passRemoved(): Promise<void> {
    const { record, subjects: all } = this.#options.projection;
    const last = await record.lastSequence();
    if (last <= this.#progress || this.#waiting.length > 0) return;
    const present = await record.readLast(all);
    if ((present?.sequence ?? 0) > this.#progress || this.#waiting.length > 0) return;
    const nothing = { changeId: null, entry: undefined };
    this.#waiting.push({ sequence: last, done: () => undefined, ...nothing });
  }

  async #writeBatch(): Promise<boolean> {
    const { projection } = this.#options;
    const batch = this.#waiting.slice(0, projection.largestBatch ?? largestBatch);
    const last = batch.at(-1);
    if (!last) return true;
    const { sequence, changeId } = last;
    const entries = batch.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    if (!(await projection.apply(entries, this.#progress, { sequence, changeId }))) {
      return false;
    }
    this.#progress = sequence;
    this.#waiting.splice(0, batch.length);
    for (const { done } of batch) done();
    this.#options.bus.live.publish(subjects.projected, String(sequence));
    return true;
  }

  /** Redis is away, or a batch's fate is unknown: what it holds then decides. */
  #retryLater(error: unknown): void {
    this.#behindSince ??= performance.now();
    this.#options.logger.debug({ err: error }, 'projector.waits');
    setTimeout(() => this.#checkSoon(), retryDelay).unref();
  }
}
