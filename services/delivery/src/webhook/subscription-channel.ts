import { type Bus, decodeInbox, subjects } from '@relay/bus';
import type { AgentId, EventType } from '@relay/protocol';
import type { Place } from '../feed/position.ts';
import type { Channel, DeliveryToSend } from './channel.ts';
import { OpenedEndpoint } from './opened-endpoint.ts';
import { type Sent, sendEvent } from './send-event.ts';
import type { SubscriptionRecord } from './subscription.ts';
import type { WebhookContext } from './webhook-context.ts';

export interface SubscriptionChannelOptions {
  readonly context: WebhookContext;
  readonly agentId: AgentId;
  readonly subscription: SubscriptionRecord;
  /** The subscription is to be turned off. */
  readonly onGone: () => void;
}

/** The events of an agent's feed for one of its webhook subscriptions, signed for its endpoint. */
export class SubscriptionChannel implements Channel {
  readonly #options: SubscriptionChannelOptions;
  readonly #opened: OpenedEndpoint;
  #subscription: SubscriptionRecord;

  constructor(options: SubscriptionChannelOptions) {
    this.#options = options;
    this.#opened = new OpenedEndpoint(options.context.sealer);
    this.#subscription = options.subscription;
  }

  get isActive(): boolean {
    return this.#subscription.isActive;
  }

  wants(type: EventType): boolean {
    return this.#subscription.subscribedEvents.includes(type);
  }

  /** Takes note of what its agent changed. */
  update(subscription: SubscriptionRecord): void {
    this.#subscription = subscription;
  }

  readBody(place: Place): Promise<Uint8Array | undefined> {
    const { agentId, context } = this.#options;
    return readInboxBody(context.bus, agentId, place);
  }

  send({ record, body }: DeliveryToSend): Promise<Sent> {
    const { eventId, revision, attemptCount } = record;
    const endpoint = this.#opened.get(this.#subscription, Date.now());
    const event = { eventId, revision, body, number: attemptCount + 1 };
    return sendEvent(this.#options.context, endpoint, event);
  }

  turnOff(): void {
    if (!this.isActive) return;
    this.#subscription = { ...this.#subscription, isActive: false };
    this.#options.onGone();
  }
}

/** An event as it stands in its agent's inbox; undefined where it is gone with its message. */
export async function readInboxBody(
  bus: Bus,
  agentId: AgentId,
  { sequence, index }: Place,
): Promise<Uint8Array | undefined> {
  const message = await bus.inbox.stream.readAt(sequence);
  if (message?.subject !== subjects.inbox(agentId)) return undefined;
  return decodeInbox(message).events[index]?.bytes;
}
