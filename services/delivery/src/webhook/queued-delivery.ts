import { type InboxEvent, readDelivery, readDeliveryKey, type StreamMessage } from '@relay/bus';
import type { Place } from '../feed/position.ts';

/** One event on its way to one endpoint. */
export interface QueuedDelivery {
  readonly place: Place;
  /** Id of the task or chat. */
  readonly lane: string;
  /** As the feed gave it; undefined when all that is known of it is in its record. */
  event: InboxEvent | undefined;
  /** Of its record in DELIVERIES; 0 where it has none. */
  recordSequence: number;
  /** Its first record is being written. */
  isRecording: boolean;
  isInFlight: boolean;
  /** Its last record is being written. */
  isEnding: boolean;
  /** Delivered or given up: nothing may be done with it any more. */
  isDone: boolean;
  /** How often it has failed since it began, or was redriven. */
  attempts: number;
  /** As its record says: it was given up or held before. */
  readonly isRedriven: boolean;
  /** When its change was recorded or its record was made, in milliseconds since the epoch. */
  readonly since: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
  /** Called once, when its feed may pass it. */
  onPassed: (() => void) | undefined;
  /** Its record, when somebody else wrote it while it was being written here. */
  heard: StreamMessage | undefined;
}

export function queuedEvent(event: InboxEvent, place: Place, onPassed: () => void): QueuedDelivery {
  return { ...queued(place, event.lane, event.at), event, onPassed };
}

/** What a record tells of, as it is stored. */
export function queuedRecord(message: StreamMessage): QueuedDelivery {
  const record = readDelivery(message);
  const { sequence, index } = readDeliveryKey(message);
  return {
    ...queued({ sequence, index }, record.lane, record.createdAt),
    recordSequence: message.sequence,
    dueAt: record.nextAttemptAt ?? 0,
    attempts: record.roundAttempts,
    isRedriven: record.isRedriven ?? false,
  };
}

function queued(place: Place, lane: string, since: number): QueuedDelivery {
  return {
    place,
    lane,
    event: undefined,
    recordSequence: 0,
    isRecording: false,
    isInFlight: false,
    isEnding: false,
    isDone: false,
    attempts: 0,
    isRedriven: false,
    since,
    dueAt: 0,
    onPassed: undefined,
    heard: undefined,
  };
}

/** Tells its feed, if that is still to be told. */
export function pass(delivery: QueuedDelivery): void {
  const { onPassed } = delivery;
  delivery.onPassed = undefined;
  onPassed?.();
}

/** A place as a key. */
export function placeKey({ sequence, index }: Place): string {
  return `${sequence}_${index}`;
}
