import type { DeliveryRecord } from '@relay/bus';
import type { Place } from '../feed/position.ts';
import type { Sent } from './send-event.ts';

/** One event for an endpoint. */
export interface DeliveryToSend {
  readonly place: Place;
  /** As it stands before this attempt. */
  readonly record: DeliveryRecord;
  readonly body: Uint8Array;
}

/** By what way events come to an endpoint. */
export interface Channel {
  readonly isActive: boolean;
  /** What an event is sent with, where its record does not hold it: the same each time; undefined where it is gone. */
  readBody(place: Place, record: DeliveryRecord): Promise<Uint8Array | undefined>;
  /** POSTs once. `unwanted`: nobody wants the event any more. */
  send(delivery: DeliveryToSend): Promise<Sent | { readonly kind: 'unwanted' }>;
  /** The endpoint answered that it is gone. */
  turnOff(): void;
}
