import type { InboxMessage } from '@relay/bus';

/** Events of one message by their place in it, both ends included. */
export interface IndexRange {
  readonly from: number;
  readonly through: number;
}

export const allEvents: IndexRange = { from: 0, through: Number.POSITIVE_INFINITY };

/** What a feed is read into. */
export interface EventSink {
  /** Room for another message, whatever its size. */
  readonly hasRoom: boolean;
  /** Whether so much was done since there was no room that reading on pays. */
  readonly isHalfEmpty: boolean;
  /** Takes the events of a message in that lie in the range, in order. */
  take(message: InboxMessage, range: IndexRange): void;
}
