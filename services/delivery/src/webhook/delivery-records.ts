import {
  type DeliveryAttempts,
  type DeliveryKey,
  type DeliveryRecord,
  type DeliveryToWrite,
  type InboxEvent,
  type Lease,
  readDelivery,
  readDeliveryAttempts,
} from '@relay/bus';
import type { AgentId, SubscriptionId } from '@relay/protocol';
import type { Place } from '../feed/position.ts';
import type { Channel } from './channel.ts';
import type { QueuedDelivery } from './queued-delivery.ts';
import type { WebhookContext } from './webhook-context.ts';
import { whileHeld } from './while-held.ts';

/** A delivery as its record has it, with what it is to send. */
export interface LoadedDelivery {
  readonly record: DeliveryRecord;
  readonly attempts: DeliveryAttempts;
  /** Undefined where it is gone with its message. */
  readonly body: Uint8Array | undefined;
}

type Context = Pick<WebhookContext, 'bus' | 'pause'>;

/** The records of what one endpoint has not taken, written by the owner of its partition. */
export class DeliveryRecords {
  readonly #context: Context;
  readonly #agentId: AgentId;
  readonly #subscriptionId: SubscriptionId;
  readonly #lease: Lease;
  readonly #bodies: Pick<Channel, 'readBody'>;

  constructor(
    context: Context,
    lease: Lease,
    { agentId, subscriptionId }: Pick<DeliveryKey, 'agentId' | 'subscriptionId'>,
    bodies: Pick<Channel, 'readBody'>,
  ) {
    this.#context = context;
    this.#bodies = bodies;
    this.#lease = lease;
    this.#agentId = agentId;
    this.#subscriptionId = subscriptionId;
  }

  /** Waits for NATS. `gone`: there is no record any more, so nothing to do. `lost`: the lease is. */
  async load(delivery: QueuedDelivery): Promise<LoadedDelivery | 'gone' | 'lost'> {
    const { event, recordSequence } = delivery;
    if (recordSequence === 0) return event ? newDelivery(event) : 'gone';
    return (await this.#whileHeld(() => this.#read(delivery))) ?? 'lost';
  }

  /**
   * Writes its record until that is stored. What somebody else wrote meanwhile is replaced: there is one
   * owner, and this is it.
   * @returns false where the lease was lost before
   */
  async write(delivery: QueuedDelivery, written: Omit<DeliveryToWrite, 'key'>): Promise<boolean> {
    const { deliveries } = this.#context.bus;
    const key = this.#keyOf(delivery.place);
    while (this.#lease.isHeld()) {
      const outcome = await deliveries.write({ key, ...written }, delivery.recordSequence);
      if (outcome.type === 'appended') {
        delivery.recordSequence = outcome.sequence;
        return true;
      }
      if (outcome.type === 'unavailable') await this.#context.pause.wait();
      else if (await this.#isStored(delivery, written.record)) return true;
    }
    return false;
  }

  /** Removes its record, as long as the lease is held; after it, the next owner finds it. */
  async remove({ recordSequence }: QueuedDelivery): Promise<void> {
    await this.#whileHeld(() => this.#context.bus.deliveries.remove(recordSequence));
  }

  /** Learns what is stored after a write that was refused, or whose outcome is not known. */
  async #isStored(delivery: QueuedDelivery, record: DeliveryRecord): Promise<boolean> {
    const key = this.#keyOf(delivery.place);
    const stored = await this.#whileHeld(
      async () => (await this.#context.bus.deliveries.read(key)) ?? 'none',
    );
    if (stored === undefined) return false;
    delivery.recordSequence = stored === 'none' ? 0 : stored.sequence;
    return stored !== 'none' && isSame(readDelivery(stored), record);
  }

  async #read({ recordSequence, place }: QueuedDelivery): Promise<LoadedDelivery | 'gone'> {
    const message = await this.#context.bus.deliveries.stream.readAt(recordSequence);
    if (!message) return 'gone';
    const record = readDelivery(message);
    const attempts = readDeliveryAttempts(message);
    const body = record.hasBody ? message.data : await this.#bodies.readBody(place, record);
    return { record, attempts, body };
  }

  #whileHeld<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
    return whileHeld(this.#context.pause, this.#lease, request);
  }

  #keyOf({ sequence, index }: Place): DeliveryKey {
    const [agentId, subscriptionId] = [this.#agentId, this.#subscriptionId];
    return { agentId, subscriptionId, sequence, index };
  }
}

function newDelivery({ eventId, type, lane, revision, bytes }: InboxEvent): LoadedDelivery {
  const now = Date.now();
  const record: DeliveryRecord = {
    status: 'pending',
    eventId,
    type,
    lane,
    revision,
    attemptCount: 0,
    roundAttempts: 0,
    nextAttemptAt: now,
    firstAttemptAt: null,
    lastAttemptAt: null,
    deadLetteredAt: null,
    createdAt: now,
    hasBody: false,
  };
  return { record, attempts: [], body: bytes };
}

/** No two writes of one owner have the same status, attempts and next time. */
function isSame(one: DeliveryRecord, other: DeliveryRecord): boolean {
  return (
    one.status === other.status &&
    one.attemptCount === other.attemptCount &&
    one.nextAttemptAt === other.nextAttemptAt
  );
}
