import { type Bucket, feedKey, unavailable } from '@relay/bus';
import { type AgentId, RelayError, type SubscriptionId } from '@relay/protocol';
import {
  type FeedRecord,
  newFeedRecord,
  withoutSubscription,
  withSubscription,
} from '../../feed/feed-record.ts';
import type { OwedRange } from '../../feed/owed.ts';
import type { SubscriptionRecord } from '../subscription.ts';

/** Where one agent's subscription is, or is to be. */
export interface SubscriptionPlace {
  readonly agentId: AgentId;
  readonly subscriptionId: SubscriptionId;
}

/** The events before a feed's position that are still to be delivered by webhook. */
export type ReadOwed = (agentId: AgentId, record: FeedRecord) => Promise<readonly OwedRange[]>;

/** Subscriptions in the agents' feed records. */
export class SubscriptionStore {
  readonly #records: Bucket<FeedRecord>;
  readonly #readOwed: ReadOwed;

  constructor(records: Bucket<FeedRecord>, readOwed: ReadOwed) {
    this.#records = records;
    this.#readOwed = readOwed;
  }

  /** In the order in which they were made. */
  async list(agentId: AgentId): Promise<readonly SubscriptionRecord[]> {
    const entry = await this.#records.get(feedKey(agentId));
    return entry?.value.subscriptions ?? [];
  }

  async find(place: SubscriptionPlace): Promise<SubscriptionRecord | undefined> {
    return findIn(await this.list(place.agentId), place);
  }

  /** @throws RelayError notFound */
  async require(place: SubscriptionPlace): Promise<SubscriptionRecord> {
    return required(await this.find(place));
  }

  /**
   * Adds a subscription. One that is there already, by its id, is left as it is.
   * @param deadline milliseconds since the epoch: it is not added after it
   * @throws RelayError conflict where the agent has as many as it may
   */
  async add(
    agentId: AgentId,
    subscription: SubscriptionRecord,
    limits: { readonly deadline: number; readonly maximum: number },
  ): Promise<void> {
    await this.#records.change(feedKey(agentId), (record = newFeedRecord) => {
      refuseAfter(limits.deadline);
      if (record.subscriptions.some(({ id }) => id === subscription.id)) return undefined;
      if (record.subscriptions.length >= limits.maximum) throw tooMany(limits.maximum);
      return withSubscription(record, subscription);
    });
  }

  /**
   * @returns the subscription as the change makes it of what is there
   * @throws RelayError notFound
   */
  async change(
    place: SubscriptionPlace,
    deadline: number,
    change: (subscription: SubscriptionRecord) => SubscriptionRecord,
  ): Promise<SubscriptionRecord> {
    let changed: SubscriptionRecord | undefined;
    await this.#records.change(feedKey(place.agentId), (record = newFeedRecord) => {
      refuseAfter(deadline);
      changed = change(required(findIn(record.subscriptions, place)));
      return withSubscription(record, changed);
    });
    return required(changed);
  }

  /**
   * Removes a subscription where it is there. With the last one the agent is back to WebSockets, which
   * then bring what its webhooks still owe.
   */
  async remove({ agentId, subscriptionId }: SubscriptionPlace, deadline: number): Promise<void> {
    const key = feedKey(agentId);
    for (;;) {
      const entry = await this.#records.get(key);
      const isThere = entry?.value.subscriptions.some(({ id }) => id === subscriptionId);
      if (!entry || !isThere) return;
      const owed = await this.#readOwed(agentId, entry.value);
      refuseAfter(deadline);
      const record = withoutSubscription(entry.value, subscriptionId, owed);
      if ((await this.#records.update(key, record, entry.revision)) !== undefined) return;
    }
  }

  /** Removes all, and what they owe with them. */
  async removeAll(agentId: AgentId, deadline: number): Promise<void> {
    await this.#records.change(feedKey(agentId), (record) => {
      refuseAfter(deadline);
      if (!record || record.subscriptions.length === 0) return undefined;
      return record.subscriptions.reduce(
        (rest, { id }) => withoutSubscription(rest, id, []),
        record,
      );
    });
  }
}

function findIn(
  subscriptions: readonly SubscriptionRecord[],
  { subscriptionId }: SubscriptionPlace,
): SubscriptionRecord | undefined {
  return subscriptions.find(({ id }) => id === subscriptionId);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RelayError('notFound');
  return value;
}

/** Its caller has been told by then that it was not done. */
function refuseAfter(deadline: number): void {
  if (Date.now() >= deadline) throw unavailable();
}

function tooMany(maximum: number): RelayError {
  const message = `An agent has at most ${maximum} webhook subscriptions. Delete one first.`;
  return new RelayError({ error: 'conflict', message });
}
