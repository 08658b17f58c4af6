import type { StreamMessage } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { FeedContext } from './feed-context.ts';
import { FeedReader, type FeedReaderContext, type FeedReaderOwner } from './feed-reader.ts';
import {
  type AcceptedTypes,
  type FeedRecord,
  typesInForce,
  type VerifiedMark,
} from './feed-record.ts';
import { PendingEvents } from './pending-events.ts';
import type { Position } from './position.ts';

/** How often a feed that is held up looks whether one of its consumers is stuck. */
const heldUpInterval = 1_000;

const none: readonly FeedConsumer[] = [];

type FeedBudget = Pick<FeedContext, 'budget'>;

/** One connection of an agent, as its feed sees it. */
export interface FeedConsumer {
  readonly accepts: AcceptedTypes;
  /** Number of the last event that it was sent. */
  readonly sentThrough: number;
  /** It has taken nothing for long, although there was something. */
  readonly isStuck: boolean;
  /** There may be something to send. */
  deliver(): void;
  /** Its numbers are not good any more, or it holds up others: it has to connect again. */
  restart(acksWereLost: boolean): void;
  /** The agent gets its events by webhook now. */
  refuse(): void;
  /** What it needs cannot be read or written. */
  fail(code: 'ack_failed' | 'delivery_failed'): void;
}

/** Whose run it is. */
export interface FeedRunOwner {
  readonly agentId: AgentId;
  /** The position has moved, or may have. */
  onMoved(): void;
  /** Messages are missing; reading goes on when it resolves. */
  onGap(): Promise<void>;
}

/** One epoch of a feed in this process: the same events under the same numbers for all consumers. */
export class FeedRun implements FeedReaderOwner {
  readonly epoch: number;
  readonly #owner: FeedRunOwner;
  readonly #pending: PendingEvents;
  readonly #reader: FeedReader;
  /** Replaced as a whole, so that one may leave while all are told. */
  #consumers: readonly FeedConsumer[] = none;
  #heldUp: NodeJS.Timeout | undefined;

  constructor(context: FeedReaderContext & FeedBudget, owner: FeedRunOwner, record: FeedRecord) {
    const { epoch, acked, fullSyncThrough } = record;
    this.epoch = epoch;
    this.#owner = owner;
    this.#pending = new PendingEvents(context.budget, {
      acked,
      fullSyncThrough,
      typesInForce: typesInForce(record),
    });
    this.#reader = new FeedReader(context, this, this.#pending, record);
  }

  get agentId(): AgentId {
    return this.#owner.agentId;
  }

  get acked(): number {
    return this.#pending.acked;
  }

  /** Behind what is done with here; null where nothing is. */
  get position(): Position | null {
    return this.#pending.position;
  }

  get fullSyncThrough(): number | null {
    return this.#pending.fullSyncThrough;
  }

  /** The last event that was read here. */
  get lastRead(): Position | null {
    return this.#reader.lastRead;
  }

  /** Where INBOX ended when nothing was pending. */
  get verified(): VerifiedMark | null {
    return this.#pending.isDone ? this.#reader.verified : null;
  }

  get consumers(): readonly FeedConsumer[] {
    return this.#consumers;
  }

  add(consumer: FeedConsumer): void {
    this.#consumers = [...this.#consumers, consumer];
    this.#reader.look();
  }

  remove(consumer: FeedConsumer): void {
    this.#consumers = this.#consumers.filter((other) => other !== consumer);
  }

  /** The frame of an event by its number, when it may be sent now. */
  frameOf(number: number): Buffer | undefined {
    return this.#pending.frameOf(number);
  }

  /** @param number of an event that was sent */
  acknowledge(number: number): void {
    if (number <= this.acked) return;
    this.#pending.acknowledge(number);
    this.#owner.onMoved();
    this.#advance();
  }

  /** Takes note of what another replica's consumers acknowledged or confirmed. */
  learn(record: FeedRecord): void {
    this.#pending.learn(record);
    this.#advance();
  }

  /** A consumer that could not be sent to could be again. */
  onSent(): void {
    this.#makeRoom();
    this.#reader.goOn();
  }

  hear(message: StreamMessage): void {
    this.#reader.hear(message);
  }

  /** Looks for what was stored and not heard of. */
  look(): void {
    this.#reader.look();
  }

  close(): void {
    clearTimeout(this.#heldUp);
    this.#consumers = none;
    this.#reader.close();
    this.#pending.clear();
  }

  onProgress(): void {
    this.#deliver();
    if (!this.#pending.hasRoom) this.#makeRoom();
    this.#owner.onMoved();
    // What another replica's consumers acknowledged long ago is done with as soon as it is read.
    this.#reader.goOn();
  }

  /** Those that have done with all before it can only wait for it. */
  onUnreadable(): void {
    if (!this.#pending.isDone) return;
    for (const consumer of this.#consumers) consumer.fail('delivery_failed');
  }

  onGap(): Promise<void> {
    return this.#owner.onGap();
  }

  #advance(): void {
    this.#deliver();
    this.onSent();
  }

  #deliver(): void {
    for (const consumer of this.#consumers) consumer.deliver();
  }

  /** One consumer must not hold up the others for ever with what they have long acknowledged. */
  #makeRoom(): void {
    this.#releaseSent();
    if (!this.#pending.isHeldUp) return;
    const stuck = this.#consumers.filter(({ isStuck }) => isStuck);
    if (stuck.length === 0) return this.#makeRoomLater();
    for (const consumer of stuck) {
      this.remove(consumer);
      consumer.restart(false);
    }
    this.#releaseSent();
  }

  /** Nothing else may happen until then: the others have acknowledged all that they were sent. */
  #makeRoomLater(): void {
    this.#heldUp ??= setTimeout(() => {
      this.#heldUp = undefined;
      this.onSent();
    }, heldUpInterval).unref();
  }

  #releaseSent(): void {
    const sent = this.#consumers.map(({ sentThrough }) => sentThrough);
    this.#pending.release(Math.min(this.acked, ...sent));
  }
}
