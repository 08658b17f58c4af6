import { type Bus, decodeInbox, type StreamMessage, subjects } from '@relay/bus';
import { type AgentId, RelayError } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { BacklogReader } from './backlog.ts';
import type { PendingEvents } from './pending-events.ts';
import { isInsideMessage, type Position } from './position.ts';

const retryDelay = 1_000;
/** What is heard during a look is kept to this, or looked for again. */
const maximumHeard = 64;

export interface FeedReaderOptions {
  readonly bus: Bus;
  readonly agentId: AgentId;
  readonly backlog: BacklogReader;
  readonly pending: PendingEvents;
  readonly position: Position | null;
  readonly logger: Logger;
  /** Events were taken in, or a look found nothing. */
  readonly onProgress: () => void;
}

/**
 * Reads one agent's inbox into its pending events, from a position on: it looks at the last message,
 * fills what lies between, then follows what it hears. It stops where there is no room and goes on when
 * there is again.
 */
export class FeedReader {
  readonly #options: FeedReaderOptions;
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

  constructor(options: FeedReaderOptions) {
    const { position } = options;
    this.#options = options;
    this.#begun = position && isInsideMessage(position) ? position : undefined;
    this.#readThrough = position ? position.sequence - (this.#begun ? 1 : 0) : 0;
  }

  /** Takes in what was just stored, when it is the next. */
  hear(message: StreamMessage): void {
    if (this.#isClosed || message.sequence <= this.#readThrough) return;
    if (this.#isLooking) return this.#keep(message);
    this.#isBehind ||= !this.#options.pending.hasRoom;
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
    const { hasRoom, isHalfEmpty } = this.#options.pending;
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
      const { agentId, logger } = this.#options;
      logger.error({ agentId, err: error }, 'feed.unreadable');
    }
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.look();
    }, retryDelay).unref();
  }

  async #lookOnce(): Promise<void> {
    const { bus, agentId, pending } = this.#options;
    if (this.#begun) await this.#takeRest(this.#begun);
    const last = await bus.inbox.readLast(agentId);
    this.#isBehind = last !== undefined && last.sequence > this.#readThrough;
    this.#isFarBehind &&= this.#isBehind;
    if (!last || !this.#isBehind || !pending.hasRoom) return;
    await this.#takeThrough(last);
    this.#isBehind = last.sequence > this.#readThrough;
    if (this.#isBehind && pending.hasRoom) this.#mustLook = true;
  }

  async #takeRest({ sequence, index }: Position): Promise<void> {
    const { bus, agentId, pending } = this.#options;
    const message = await bus.inbox.stream.readAt(sequence);
    if (this.#isClosed) return;
    if (message?.subject === subjects.inbox(agentId)) pending.take(decodeInbox(message), index + 1);
    this.#begun = undefined;
    this.#readThrough = sequence;
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

  #takeAll(messages: readonly StreamMessage[]): void {
    if (!messages.every((message) => this.#take(message))) this.#isBehind = true;
    if (!this.#isLooking) this.#options.onProgress();
  }

  /** @returns false where there is no room, or no use */
  #take(message: StreamMessage): boolean {
    if (this.#isClosed || !this.#options.pending.hasRoom) return false;
    this.#options.pending.take(decodeInbox(message), 0);
    this.#readThrough = message.sequence;
    return true;
  }

  #keep(message: StreamMessage): void {
    if (this.#heard.length < maximumHeard) this.#heard.push(message);
    else this.#mustLook = true;
  }
}
