import type { InboxEvent, InboxMessage } from '@relay/bus';
import type { ByteBudget } from '../feed/byte-budget.ts';
import type { EventSink, IndexRange } from '../feed/event-sink.ts';
import { isAfter, type Place, type Position } from '../feed/position.ts';

/** How many events of one agent wait for their endpoints in memory. */
const maximumEvents = 2_048;
const maximumBytes = 4 * 1024 * 1024;

/** Gives an event to the endpoints that want it. @returns how many will call `onPassed`, once each */
type Dispatch = (event: InboxEvent, place: Place, onPassed: () => void) => number;

interface WindowEvent {
  readonly position: Position;
  readonly bytes: number;
  /** All endpoints that want it have been given it. */
  isDispatched: boolean;
  /** How many endpoints have neither taken it nor hold a record of it. */
  missing: number;
}

export interface EventWindowOptions {
  readonly budget: ByteBudget;
  readonly dispatch: Dispatch;
  /** Whether so much waits in records that no more is to be read. */
  readonly isFull: () => boolean;
}

/** The events of a feed that its endpoints are working on: the position follows the oldest of them. */
export class EventWindow implements EventSink {
  readonly #options: EventWindowOptions;
  readonly #events = new Set<WindowEvent>();
  #bytes = 0;
  #done: Position | null = null;
  #lastPassed: Place | null = null;
  #lastSequence = 0;

  constructor(options: EventWindowOptions) {
    this.#options = options;
  }

  /** Behind the last event before which all are done with; null where there is none yet. */
  get done(): Position | null {
    return this.#done;
  }

  /** The furthest event that an endpoint has taken or holds a record of; null where there is none yet. */
  get lastPassed(): Place | null {
    return this.#lastPassed;
  }

  /** Of the last message that was taken in. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  get isEmpty(): boolean {
    return this.#events.size === 0;
  }

  get hasRoom(): boolean {
    const { budget, isFull } = this.#options;
    if (isFull()) return false;
    if (this.isEmpty) return true;
    return this.#events.size < maximumEvents && this.#bytes < maximumBytes && budget.hasRoom;
  }

  get isHalfEmpty(): boolean {
    return this.#events.size <= maximumEvents / 2 && this.#bytes <= maximumBytes / 2;
  }

  take({ sequence, events }: InboxMessage, { from, through }: IndexRange): void {
    this.#lastSequence = sequence;
    for (const [index, event] of events.entries()) {
      if (index < from || index > through) continue;
      const { eventId, bytes } = event;
      const position = { sequence, index, count: events.length, eventId };
      this.#add(event, { position, bytes: bytes.length, isDispatched: false, missing: 0 });
    }
    this.#advance();
  }

  clear(): void {
    this.#events.clear();
    this.#use(-this.#bytes);
  }

  #add(event: InboxEvent, entry: WindowEvent): void {
    this.#events.add(entry);
    this.#use(entry.bytes);
    const onPassed = () => {
      entry.missing -= 1;
      if (isAfter(entry.position, this.#lastPassed)) this.#lastPassed = entry.position;
      this.#advance();
    };
    // In a statement of its own: some pass it at once, and `+=` would forget that.
    const wanting = this.#options.dispatch(event, entry.position, onPassed);
    entry.missing += wanting;
    entry.isDispatched = true;
  }

  #advance(): void {
    for (const entry of this.#events) {
      if (entry.missing > 0 || !entry.isDispatched) return;
      this.#events.delete(entry);
      this.#use(-entry.bytes);
      this.#done = entry.position;
    }
  }

  #use(bytes: number): void {
    this.#bytes += bytes;
    this.#options.budget.use(bytes);
  }
}
