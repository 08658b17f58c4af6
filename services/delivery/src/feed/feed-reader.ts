import { decodeInbox, type StreamMessage, subjects } from '@relay/bus';
import { type AgentId, RelayError } from '@relay/protocol';
import { allEvents, type EventSink, type IndexRange } from './event-sink.ts';
import type { FeedContext } from './feed-context.ts';
import type { FeedRecord, VerifiedMark } from './feed-record.ts';
import type { OwedRange } from './owed.ts';
import { isInsideMessage, type Position } from './position.ts';

const retryDelay = 1_000;
/** What is heard during a look is kept to this, or looked for again. */
const maximumHeard = 64;
const markInterval = 3_600_000;

/** Whoever has a feed read. */
export interface FeedReaderOwner {
  readonly agentId: AgentId;
  /** Events were taken in, or a look found nothing. */
  onProgress(): void;
  /** The next message cannot be read; it is tried again. */
  onUnreadable(): void;
  /** Messages are missing before the next one. Reading goes on when it resolves, unless it is closed. */
  onGap(): Promise<void>;
}

export type FeedReaderContext = Pick<FeedContext, 'bus' | 'backlog' | 'bounds' | 'logger'>;

/**
 * Reads one agent's feed into a sink: first what is owed, then its inbox from a position on. It looks at
 * the last message, fills what lies between, then follows what it hears. It stops where there is no room
 * and goes on when there is again.
 */
export class FeedReader {
  readonly #context: FeedReaderContext;
  readonly #owner: FeedReaderOwner;
  readonly #sink: EventSink;
  #owed: readonly OwedRange[];
  /** Sequence of the last message that was wholly taken in. */
  #readThrough: number;
  /** A message of which the first events were passed: the others come first. */
  #begun: Position | undefined;
  #heard: StreamMessage[] | undefined;
  #isLooking = false;
  #mustLook = false;
  /** More is stored than was taken in. */
  #isBehind = false;
  /** So much more that links are not worth following. */
  #isFarBehind = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  /** Sequence of a message before which others are missing. */
  #gapBefore: number | undefined;
  #passedGap: number | undefined;
  #lastRead: Position | null = null;
  #verified: VerifiedMark | null;

  constructor(
    context: FeedReaderContext,
    owner: FeedReaderOwner,
    sink: EventSink,
    { owed, position, verified }: Pick<FeedRecord, 'owed' | 'position' | 'verified'>,
  ) {
    this.#context = context;
    this.#owner = owner;
    this.#sink = sink;
    this.#owed = owed;
    this.#isBehind = owed.length > 0;
    this.#begun = position && isInsideMessage(position) ? position : undefined;
    this.#readThrough = position ? position.sequence - (this.#begun ? 1 : 0) : 0;
    this.#verified = verified;
  }

  /** The last event that was taken in here. */
  get lastRead(): Position | null {
    return this.#lastRead;
  }

  /** Where INBOX ended when all was taken in; renewed once an hour. */
  get verified(): VerifiedMark | null {
    return this.#verified;
  }

  /** Whether nothing is being looked for, and nothing is known that was not taken in. */
  get isUpToDate(): boolean {
    return !this.#isLooking && !this.#isBehind && this.#retry === undefined;
  }

  /** Takes in what was just stored, when it is the next. */
  hear(message: StreamMessage): void {
    if (this.#isClosed || message.sequence <= this.#readThrough) return;
    if (this.#isLooking) return this.#keep(message);
    this.#isBehind ||= !this.#sink.hasRoom;
    if (this.#isBehind) this.goOn();
    else if (message.previous !== this.#readThrough) this.look();
    else this.#takeHeard(message);
  }

  /** Finds what is stored and was not heard of. */
  look(): void {
    this.#mustLook = true;
    if (!this.#isLooking && !this.#isClosed) void this.#lookUntilFound();
  }

  /** Goes on where there was no room before, when so much was done that it pays. */
  goOn(): void {
    const { hasRoom, isHalfEmpty } = this.#sink;
    if (this.#isBehind && hasRoom && isHalfEmpty) this.look();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#heard = undefined;
  }

  #takeHeard(message: StreamMessage): void {
    try {
      this.#takeAll([message]);
    } catch (error) {
      this.#lookLater(error);
    }
  }

  async #lookUntilFound(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#mustLook && !this.#isClosed) {
        this.#mustLook = false;
        await this.#lookOnce();
        if (!this.#isClosed) this.#owner.onProgress();
      }
    } catch (error) {
      this.#lookLater(error);
      // What was taken in before goes out meanwhile.
      if (!this.#isClosed) this.#owner.onProgress();
    }
    this.#isLooking = false;
    const heard = this.#heard;
    this.#heard = undefined;
    for (const message of heard ?? []) this.hear(message);
  }

  /** NATS is away or slow, or a message cannot be read. A reconnect looks again too, but need not come. */
  #lookLater(error: unknown): void {
    if (!(error instanceof RelayError)) {
      const { agentId } = this.#owner;
      this.#context.logger.error({ agentId, err: error }, 'feed.unreadable');
      this.#owner.onUnreadable();
    }
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.look();
    }, retryDelay).unref();
  }

  async #lookOnce(): Promise<void> {
    await this.#takeOwed();
    if (this.#owed.length > 0) return;
    if (this.#begun) await this.#takeRest(this.#begun);
    const mark = await this.#nextMark();
    const last = await this.#context.bus.inbox.readLast(this.#owner.agentId);
    this.#isBehind = last !== undefined && last.sequence > this.#readThrough;
    this.#isFarBehind &&= this.#isBehind;
    if (last && this.#isBehind && this.#sink.hasRoom) await this.#catchUp(last);
    if (!this.#isBehind) this.#verified = mark;
  }

  /** What is stored after the mark is made is seen by the look. */
  async #nextMark(): Promise<VerifiedMark | null> {
    const at = Date.now();
    if (this.#verified && this.#verified.at > at - markInterval) return this.#verified;
    const { last, gaps } = await this.#context.bounds.read();
    return last > 0 ? { sequence: last, gaps, at } : null;
  }

  async #takeOwed(): Promise<void> {
    for (;;) {
      const [next, ...others] = this.#owed;
      if (!next || !this.#hasRoom) return;
      if (await this.#takeRange(next, others)) this.#owed = others;
    }
  }

  /**
   * What there was no room for stays owed, and so does what cannot be read.
   * @returns whether all of it was taken
   */
  async #takeRange({ from, through }: OwedRange, others: readonly OwedRange[]): Promise<boolean> {
    let isTaken = true;
    const takeOne = (message: StreamMessage) => {
      const { sequence } = message;
      const first = sequence === from.sequence ? from.index : 0;
      isTaken = this.#hasRoom;
      if (isTaken) {
        const last = sequence === through.sequence ? through.index : allEvents.through;
        this.#give(message, { from: first, through: last });
      }
      const rest = isTaken ? { sequence: sequence + 1, index: 0 } : { sequence, index: first };
      this.#owed = [{ from: rest, through }, ...others];
      return isTaken;
    };
    if (from.sequence < through.sequence) {
      const { agentId } = this.#owner;
      const after = from.sequence - 1;
      const range = { agentId, after, through: through.sequence, take: takeOne };
      await this.#context.backlog.read(range);
    } else {
      const message = await this.#readOwn(from.sequence);
      if (message) takeOne(message);
    }
    return isTaken;
  }

  async #takeRest({ sequence, index }: Position): Promise<void> {
    const message = await this.#readOwn(sequence);
    if (this.#isClosed) return;
    if (message) this.#give(message, { ...allEvents, from: index + 1 });
    this.#begun = undefined;
    this.#readThrough = sequence;
  }

  async #readOwn(sequence: number): Promise<StreamMessage | undefined> {
    const message = await this.#context.bus.inbox.stream.readAt(sequence);
    return message?.subject === subjects.inbox(this.#owner.agentId) ? message : undefined;
  }

  async #catchUp(last: StreamMessage): Promise<void> {
    await this.#takeThrough(last);
    if (this.#gapBefore !== undefined) await this.#passGap(this.#gapBefore);
    this.#isBehind = last.sequence > this.#readThrough;
    if (this.#isBehind && this.#sink.hasRoom) this.#mustLook = true;
  }

  async #takeThrough(last: StreamMessage): Promise<void> {
    const { bus, backlog } = this.#context;
    const { agentId } = this.#owner;
    const between = this.#isFarBehind
      ? undefined
      : await bus.inbox.stream.walkBack(last, this.#readThrough);
    if (between) return this.#takeAll([...between, last]);
    this.#isFarBehind = true;
    await backlog.read({
      agentId,
      after: this.#readThrough,
      through: last.sequence,
      take: (message) => this.#take(message),
    });
  }

  async #passGap(sequence: number): Promise<void> {
    await this.#owner.onGap();
    this.#passedGap = sequence;
    this.#gapBefore = undefined;
  }

  #takeAll(messages: readonly StreamMessage[]): void {
    if (!messages.every((message) => this.#take(message))) this.#isBehind = true;
    if (!this.#isLooking) this.#owner.onProgress();
  }

  /** @returns false where there is no room, no use, or a message missing before it */
  #take(message: StreamMessage): boolean {
    if (!this.#hasRoom) return false;
    const { sequence, previous } = message;
    if (previous !== this.#readThrough && sequence !== this.#passedGap) {
      this.#gapBefore = sequence;
      return false;
    }
    this.#give(message, allEvents);
    this.#readThrough = message.sequence;
    return true;
  }

  get #hasRoom(): boolean {
    return !this.#isClosed && this.#sink.hasRoom;
  }

  #give(message: StreamMessage, range: IndexRange): void {
    const decoded = decodeInbox(message);
    this.#sink.take(decoded, range);
    const index = Math.min(range.through, decoded.events.length - 1);
    const { eventId = '' } = decoded.events[index] ?? {};
    const count = decoded.events.length;
    this.#lastRead = { sequence: message.sequence, index, count, eventId };
  }

  #keep(message: StreamMessage): void {
    this.#heard ??= [];
    if (this.#heard.length < maximumHeard) this.#heard.push(message);
    else this.#mustLook = true;
  }
}
