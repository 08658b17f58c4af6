import type { InboxMessage } from '@relay/bus';
import { type EventType, maximumInFlight } from '@relay/protocol';
import { eventFrame } from '../socket/frames.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { EventSink, IndexRange } from './event-sink.ts';
import type { FeedRecord } from './feed-record.ts';
import { isAfter, type Position } from './position.ts';

const windowBytes = 4 * 1024 * 1024;
/** How far a feed reads ahead of its acknowledgements. */
const maximumEvents = 1_024;
const maximumBytes = windowBytes;

interface PendingEvent {
  readonly number: number;
  readonly frame: Buffer;
  /** Bytes of all frames up to and with this one. */
  readonly endOffset: number;
  /** Behind this event and the left-out ones that follow it. */
  passed: Position;
}

export interface FeedStart extends Pick<FeedRecord, 'acked' | 'fullSyncThrough'> {
  readonly typesInForce: ReadonlySet<EventType>;
}

/** The next events of a feed, numbered and framed: those that are unacknowledged or not yet sent to all. */
export class PendingEvents implements EventSink {
  readonly #budget: ByteBudget;
  readonly #typesInForce: ReadonlySet<EventType>;
  #events: PendingEvent[] = [];
  #bytes = 0;
  #lastNumber: number;
  #endOffset = 0;
  #acked: number;
  #ackedOffset = 0;
  #position: Position | null = null;
  #fullSyncThrough: number | null;

  constructor(budget: ByteBudget, { acked, fullSyncThrough, typesInForce }: FeedStart) {
    this.#budget = budget;
    this.#typesInForce = typesInForce;
    this.#lastNumber = fullSyncThrough ?? acked;
    this.#acked = acked;
    this.#fullSyncThrough = fullSyncThrough;
  }

  get acked(): number {
    return this.#acked;
  }

  /** Behind what was acknowledged here, and what is left out after it; null where nothing was. */
  get position(): Position | null {
    return this.#position;
  }

  /** Nothing goes out before a full sync up to this number is confirmed. */
  get fullSyncThrough(): number | null {
    return this.#fullSyncThrough;
  }

  /** Whether all that was taken in is acknowledged. */
  get isDone(): boolean {
    return this.#lastNumber <= this.#acked;
  }

  /** Room for another message, whatever its size. Where there is nothing, there is always room. */
  get hasRoom(): boolean {
    const { length } = this.#events;
    if (length === 0) return true;
    return length < maximumEvents && this.#bytes < maximumBytes && this.#budget.hasRoom;
  }

  /** Whether at least half of what may be read ahead is done. */
  get isHalfEmpty(): boolean {
    return this.#events.length <= maximumEvents / 2 && this.#bytes <= maximumBytes / 2;
  }

  /** Whether what fills it is acknowledged, and only waits for a slow consumer. */
  get isHeldUp(): boolean {
    const [first] = this.#events;
    return !this.hasRoom && first !== undefined && first.number <= this.#acked;
  }

  take({ sequence, events }: InboxMessage, { from, through }: IndexRange): void {
    for (const [index, { eventId, type, bytes }] of events.entries()) {
      if (index < from || index > through) continue;
      const passed = { sequence, index, count: events.length, eventId };
      if (this.#typesInForce.has(type)) this.#add(bytes, passed);
      else this.#leaveOut(passed);
    }
  }

  /** @param number of an event that was sent */
  acknowledge(number: number): void {
    const event = this.#at(number);
    if (!event || number <= this.#acked) return;
    this.#acked = number;
    this.#ackedOffset = event.endOffset;
    this.#position = event.passed;
  }

  /** Takes note of what another replica's consumers acknowledged or confirmed. */
  learn({ acked, fullSyncThrough }: Pick<FeedRecord, 'acked' | 'fullSyncThrough'>): void {
    this.#fullSyncThrough = fullSyncThrough;
    if (acked <= this.#acked) return;
    this.#acked = acked;
    this.#ackedOffset = this.#at(acked)?.endOffset ?? this.#ackedOffset;
  }

  /** The frame of the event with this number, when it is there and within the window. */
  frameOf(number: number): Buffer | undefined {
    const event = this.#fullSyncThrough === null ? this.#at(number) : undefined;
    if (!event || number > this.#acked + maximumInFlight) return undefined;
    const isNext = number <= this.#acked + 1;
    return isNext || event.endOffset - this.#ackedOffset <= windowBytes ? event.frame : undefined;
  }

  /** Drops the acknowledged events that all consumers were sent. */
  release(sentToAll: number): void {
    const [first] = this.#events;
    const count = first ? Math.min(this.#acked, sentToAll) - first.number + 1 : 0;
    const released = this.#events.splice(0, Math.max(0, count));
    this.#use(-released.reduce((sum, { frame }) => sum + frame.length, 0));
  }

  clear(): void {
    this.#events = [];
    this.#use(-this.#bytes);
  }

  #add(bytes: Uint8Array, passed: Position): void {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const frame = eventFrame(number, bytes);
    this.#endOffset += frame.length;
    this.#events.push({ number, frame, endOffset: this.#endOffset, passed });
    this.#use(frame.length);
    // Another replica's consumers acknowledged it before it was read here.
    if (number <= this.#acked) this.#ackedOffset = this.#endOffset;
  }

  #leaveOut(passed: Position): void {
    const last = this.#events.at(-1);
    if (this.#lastNumber > this.#acked && last) last.passed = passed;
    else if (this.#lastNumber === this.#acked && isAfter(passed, this.#position)) {
      this.#position = passed;
    }
  }

  #at(number: number): PendingEvent | undefined {
    const [first] = this.#events;
    return first && this.#events[number - first.number];
  }

  #use(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.use(bytes);
  }
}
