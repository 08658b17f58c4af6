import { SealError, type Sealer } from '@relay/runtime';
import type { SubscriptionRecord } from './subscription.ts';
import { type Endpoint, openEndpoint } from './subscriptions/endpoint.ts';

/** A secret that was replaced may sign for so much longer than it should. */
const openFor = 1_000;

/** The endpoint of a subscription with its secrets in the clear, opened anew each second in which it is used. */
export class OpenedEndpoint {
  readonly #sealer: Sealer;
  #opened: Endpoint | undefined;
  #from: SubscriptionRecord | undefined;
  #openedAt = 0;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * @param now milliseconds since the epoch
   * @returns undefined where none of the relay's keys opens its secrets
   */
  get(subscription: SubscriptionRecord, now: number): Endpoint | undefined {
    const isFresh = this.#from === subscription && now - this.#openedAt < openFor;
    if (!isFresh) {
      this.#opened = openedOrNone(subscription, this.#sealer, now);
      this.#from = subscription;
      this.#openedAt = now;
    }
    return this.#opened;
  }
}

/** The endpoint of a subscription now; undefined where none of the relay's keys opens its secrets. */
export function openedOrNone(
  subscription: SubscriptionRecord,
  sealer: Sealer,
  now = Date.now(),
): Endpoint | undefined {
  try {
    return openEndpoint(subscription, sealer, now);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
