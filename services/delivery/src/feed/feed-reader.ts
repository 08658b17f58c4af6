import { type Bus, decodeInbox, type StreamMessage, subjects } from '@relay/bus';
import { type AgentId, RelayError } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { BacklogReader } from './backlog.ts';
import { allEvents, type EventSink, type IndexRange } from './event-sink.ts';
import type { FeedRecord, VerifiedMark } from './feed-record.ts';
import type { InboxBounds } from './inbox-bounds.ts';
import type { OwedRange } from './owed.ts';
import { isInsideMessage, type Position } from './position.ts';

const retryDelay = 1_000;
/** What is heard during a look is kept to this, or looked for again. */
const maximumHeard = 64;
const markInterval = 3_600_000;

export interface FeedReaderOptions {
  readonly bus: Bus;
  readonly agentId: AgentId;
  readonly backlog: BacklogReader;
  readonly sink: EventSink;
  readonly start: Pick<FeedRecord, 'owed' | 'position' | 'verified'>;
  readonly bounds: InboxBounds;
  readonly logger: Logger;
  /** Events were taken in, or a look found nothing. */
  readonly onProgress: () => void;
  /** The next message cannot be read; it is tried again. */
  readonly onUnreadable: () => void;
  /** Messages are missing before the next one. Reading goes on when it resolves, unless it is closed. */
  readonly onGap: () => Promise<void>;
}

/**
 * Reads one agent's feed into a sink: first what is owed, then its inbox from a position on. It looks at
 * the last message, fills what lies between, then follows what it hears. It stops where there is no room
 * and goes on when there is again.
 */
export class FeedReader {
  readonly #options: FeedReaderOptions;
  #owed: readonly OwedRange[];
  /** Sequence of the last message that was wholly taken in. */
  #readThrough: number;
  /** A message of which the first events were passed: the others come first. */
  #begun: Position | undefined;
  #heard: StreamMessage[] = [];
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

  constructor(options: FeedReaderOptions) {
    const { owed, position, verified } = options.start;
    this.#options = options;
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

  /** Takes in what was just stored, when it is the next. */
  hear(message: StreamMessage): void {
    if (this.#isClosed || message.sequence <= this.#readThrough) return;
    if (this.#isLooking) return this.#keep(message);
    this.#isBehind ||= !this.#options.sink.hasRoom;
    if (this.#isBehind) this.goOn();
    else if (message.previous !== this.#readThrough) this.look();
    else this.#takeAll([message]);
  }

  /** Finds what is stored and was not heard of. */
  look(): void {
    this.#mustLook = true;
    if (!this.#isLooking && !this.#isClosed) void this.#lookUntilFound();
  }

  /** Goes on where there was no room before, when so much was done that it pays. */
  goOn(): void {
    const { hasRoom, isHalfEmpty } = this.#options.sink;
    if (this.#isBehind && hasRoom && isHalfEmpty) this.look();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#heard = [];
  }

  async #lookUntilFound(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#mustLook && !this.#isClosed) {
        this.#mustLook = false;
        await this.#lookOnce();
        if (!this.#isClosed) this.#options.onProgress();
      }
    } catch (error) {
      this.#lookLater(error);
    }
    this.#isLooking = false;
    for (const message of this.#heard.splice(0)) this.hear(message);
  }

  /** NATS is away or slow, or a message cannot be read. A reconnect looks again too, but need not come. */
  #lookLater(error: unknown): void {
    if (!(error instanceof RelayError)) {
      const { agentId, logger, onUnreadable } = this.#options;
      logger.error({ agentId, err: error }, 'feed.unreadable');
      onUnreadable();
    }
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.look();
    }, retryDelay).unref();
  }

  async #lookOnce(): Promise<void> {
    const { bus, agentId, sink } = this.#options;
    await this.#takeOwed();
    if (this.#owed.length > 0) return;
    if (this.#begun) await this.#takeRest(this.#begun);
    const mark = await this.#nextMark();
    const last = await bus.inbox.readLast(agentId);
    this.#isBehind = last !== undefined && last.sequence > this.#readThrough;
    this.#isFarBehind &&= this.#isBehind;
    if (last && this.#isBehind && sink.hasRoom) await this.#catchUp(last);
    if (!this.#isBehind) this.#verified = mark;
  }

  /** What is stored after the mark is made is seen by the look. */
  async #nextMark(): Promise<VerifiedMark | null> {
    const at = Date.now();
    if (this.#verified && this.#verified.at > at - markInterval) return this.#verified;
    const { last, gaps } = await this.#options.bounds.read();
    return last > 0 ? { sequence: last, gaps, at } : null;
  }

  async #takeOwed(): Promise<void> {
    for (;;) {
      const [next, ...others] = this.#owed;
      if (!next || !this.#options.sink.hasRoom || this.#isClosed) return;
      await this.#takeRange(next);
      if (this.#owed[0] === next) this.#owed = others;
    }
  }

  /** What there was no room for stays owed. */
  async #takeRange({ from, through }: OwedRange): Promise<void> {
    const { backlog, agentId } = this.#options;
    const takeOne = (message: StreamMessage) => {
      const first = message.sequence === from.sequence ? from.index : 0;
      if (!this.#hasRoom) {
        const rest = { from: { sequence: message.sequence, index: first }, through };
        this.#owed = [rest, ...this.#owed.slice(1)];
        return false;
      }
      this.#give(message, {
        from: first,
        through: message.sequence === through.sequence ? through.index : allEvents.through,
      });
      return true;
    };
    if (from.sequence < through.sequence) {
      const after = from.sequence - 1;
      await backlog.read({ agentId, after, through: through.sequence, take: takeOne });
    } else {
      const message = await this.#readOwn(from.sequence);
      if (message) takeOne(message);
    }
  }

  async #takeRest({ sequence, index }: Position): Promise<void> {
    const message = await this.#readOwn(sequence);
    if (this.#isClosed) return;
    if (message) this.#give(message, { ...allEvents, from: index + 1 });
    this.#begun = undefined;
    this.#readThrough = sequence;
  }

  async #readOwn(sequence: number): Promise<StreamMessage | undefined> {
    const { bus, agentId } = this.#options;
    const message = await bus.inbox.stream.readAt(sequence);
    return message?.subject === subjects.inbox(agentId) ? message : undefined;
  }

  async #catchUp(last: StreamMessage): Promise<void> {
    await this.#takeThrough(last);
    if (this.#gapBefore !== undefined) await this.#passGap(this.#gapBefore);
    this.#isBehind = last.sequence > this.#readThrough;
    if (this.#isBehind && this.#options.sink.hasRoom) this.#mustLook = true;
  }

  async #takeThrough(last: StreamMessage): Promise<void> {
    const { bus, agentId, backlog } = this.#options;
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
    await this.#options.onGap();
    this.#passedGap = sequence;
    this.#gapBefore = undefined;
  }

  #takeAll(messages: readonly StreamMessage[]): void {
    if (!messages.every((message) => this.#take(message))) this.#isBehind = true;
    if (!this.#isLooking) this.#options.onProgress();
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
    return !this.#isClosed && this.#options.sink.hasRoom;
  }

  #give(message: StreamMessage, range: IndexRange): void {
    const decoded = decodeInbox(message);
    this.#options.sink.take(decoded, range);
    const index = Math.min(range.through, decoded.events.length - 1);
    const { eventId = '' } = decoded.events[index] ?? {};
    const count = decoded.events.length;
    this.#lastRead = { sequence: message.sequence, index, count, eventId };
  }

  #keep(message: StreamMessage): void {
    if (this.#heard.length < maximumHeard) this.#heard.push(message);
    else this.#mustLook = true;
  }
}
