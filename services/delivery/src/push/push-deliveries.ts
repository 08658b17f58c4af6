import { type Lease, readDelivery, readDeliveryKey, type StreamMessage } from '@relay/bus';
import type { AgentId, SubscriptionId } from '@relay/protocol';
import { Endpoint } from '../webhook/endpoint.ts';
import type { Pending } from '../webhook/metrics.ts';
import type { WebhookContext } from '../webhook/webhook-context.ts';
import { withPatience } from '../webhook/with-patience.ts';
import { PushChannel } from './push-channel.ts';
import type { PushSending } from './push-sending.ts';

/**
 * The push notifications of the agents of one partition, under one lease: each stands in a record before it
 * is sent, and is a lane's of its own config. Receivers of one agent at one origin rest and go on together.
 */
export class PushDeliveries {
  readonly #context: WebhookContext;
  readonly #sending: PushSending;
  readonly #lease: Lease;
  readonly #endpoints = new Map<SubscriptionId, Endpoint<PushChannel>>();
  #isStarted = false;

  constructor(context: WebhookContext, sending: PushSending, lease: Lease) {
    this.#context = context;
    this.#sending = sending;
    this.#lease = lease;
  }

  get pending(): readonly Pending[] {
    return [...this.#endpoints.values()].map(({ pending }) => pending);
  }

  /** Begins to send. What is recorded must be taken before it, or newer ones would overtake it. */
  start(): void {
    this.#isStarted = true;
    for (const endpoint of this.#endpoints.values()) endpoint.start();
  }

  /** Takes the record of a push notification, as it is stored. */
  take(message: StreamMessage): void {
    if (readDelivery(message).status !== 'pending') return;
    const { agentId, subscriptionId } = readDeliveryKey(message);
    this.#open(agentId, subscriptionId).adopt(message);
  }

  /** Lets go of receivers for which nothing is on its way. */
  tidy(): void {
    for (const [id, endpoint] of this.#endpoints) {
      if (!endpoint.isIdle) continue;
      endpoint.stop();
      this.#endpoints.delete(id);
    }
  }

  /** Sends nothing more. What is in flight ends by itself. */
  stop(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.stop();
  }

  /** Sends nothing more, and gives what is in flight a little time. */
  async finish(): Promise<void> {
    this.stop();
    await withPatience([...this.#endpoints.values()].map((endpoint) => endpoint.sent()));
  }

  #open(agentId: AgentId, id: SubscriptionId): Endpoint<PushChannel> {
    const known = this.#endpoints.get(id);
    if (known) return known;
    const [context, lease] = [this.#context, this.#lease];
    const channel = new PushChannel(context, this.#sending, agentId);
    const onProgress = () => undefined;
    const endpoint = new Endpoint({ context, agentId, lease, id, channel, onProgress });
    this.#endpoints.set(id, endpoint);
    if (this.#isStarted) endpoint.start();
    return endpoint;
  }
}
