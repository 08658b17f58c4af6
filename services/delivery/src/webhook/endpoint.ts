import {
  type InboxEvent,
  type Lease,
  readDelivery,
  readDeliveryKey,
  type StreamMessage,
} from '@relay/bus';
import type { AgentId, EventType } from '@relay/protocol';
import { LRUCache } from 'lru-cache';
import type { Place } from '../feed/position.ts';
import { DeliveryRecords, type LoadedDelivery } from './delivery-records.ts';
import { EndpointHealth } from './endpoint-health.ts';
import type { Lane } from './lane.ts';
import { countAttempt, observeFirstAttempt, type Pending } from './metrics.ts';
import { OpenedEndpoint } from './opened-endpoint.ts';
import { placeKey, type QueuedDelivery, queuedEvent, queuedRecord } from './queued-delivery.ts';
import { asDeadLetter, asHeld, withAttempt } from './record-changes.ts';
import { retryDelay } from './retry-schedule.ts';
import { type Failed, sendEvent } from './send-event.ts';
import type { SubscriptionRecord } from './subscription.ts';
import { Undelivered } from './undelivered.ts';
import type { WebhookContext } from './webhook-context.ts';

/** As many as a feed may be ahead of its saved position, and more. */
const rememberedEnds = 1_000;
/** Something is broken here: no attempt was made. */
const troublePause = 1_000;

export interface EndpointOptions {
  readonly context: WebhookContext;
  readonly agentId: AgentId;
  readonly lease: Lease;
  readonly subscription: SubscriptionRecord;
  /** It answered that it is gone: the subscription is to be turned off. */
  readonly onGone: () => void;
  /** Something is done with, or recorded. */
  readonly onProgress: () => void;
}

/** Sends the events of one subscription to its endpoint: each lane in order, lanes side by side. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #records: DeliveryRecords;
  readonly #undelivered: Undelivered;
  readonly #health: EndpointHealth;
  readonly #opened: OpenedEndpoint;
  #subscription: SubscriptionRecord;
  readonly #sending = new Set<Promise<void>>();
  #isStarted = false;
  #isClosed = false;
  /** What becomes of the rest when the subscription was deleted. */
  #afterDeletion: 'owed' | 'given up' | undefined;
  /** What was held or given up last: the feed may offer it again before its position is saved. */
  #ended: LRUCache<string, true> | undefined;

  constructor(options: EndpointOptions) {
    const { context, lease, agentId, subscription, onProgress } = options;
    this.#options = options;
    this.#subscription = subscription;
    const place = { agentId, subscriptionId: subscription.id };
    this.#records = new DeliveryRecords(context, lease, place);
    this.#health = new EndpointHealth(context.schedule);
    this.#opened = new OpenedEndpoint(context.sealer);
    this.#undelivered = new Undelivered({
      records: this.#records,
      onDue: () => this.#pump(),
      onProgress,
      onLost: () => this.stop(),
      onEnded: (place) => this.#remember(place),
      onRedriven: (message) => this.adopt(message),
      onError: (error) => this.#report(error),
    });
  }

  get subscription(): SubscriptionRecord {
    return this.#subscription;
  }

  get isIdle(): boolean {
    return this.#undelivered.size === 0;
  }

  /** It failed so often that it is tried with one event at a time. */
  get isFailing(): boolean {
    return this.#health.isFailing;
  }

  get pending(): Pending {
    return this.#undelivered.pending;
  }

  /** How many events wait in records. */
  get recorded(): number {
    return this.#undelivered.recorded;
  }

  wants(type: EventType): boolean {
    return this.#subscription.subscribedEvents.includes(type);
  }

  /** Begins to send. What is recorded must be known before it, or newer events would overtake it. */
  start(): void {
    this.#isStarted = true;
    this.update(this.#subscription);
  }

  /** Takes the next event of the feed. @param onPassed called once when the feed may pass it */
  offer(event: InboxEvent, place: Place, onPassed: () => void): void {
    if (this.#ended?.get(placeKey(place))) return onPassed();
    const known = this.#undelivered.find(place);
    if (known && known.recordSequence > 0) return onPassed();
    if (known) {
      known.onPassed = onPassed;
      return;
    }
    const delivery = queuedEvent(event, place, onPassed);
    const lane = this.#undelivered.add(delivery);
    if (!this.#subscription.isActive) return this.#hold(delivery);
    const isBehindFailed = lane.head !== delivery && lane.isBlocked;
    if (isBehindFailed || this.isFailing) this.#undelivered.recordUpTo(lane, delivery);
    this.#undelivered.schedule.arrange(lane);
    this.#pump();
  }

  /** Takes in what DELIVERIES holds: at the takeover, and when it was redriven. */
  adopt(message: StreamMessage): void {
    const { status, lane, nextAttemptAt, createdAt: since } = readDelivery(message);
    const { sequence, index } = readDeliveryKey(message);
    if (status !== 'pending') return this.#remember({ sequence, index });
    this.#ended?.delete(placeKey({ sequence, index }));
    const known = this.#undelivered.find({ sequence, index });
    if (known) {
      if (message.sequence > known.recordSequence) known.heard = message;
      return;
    }
    const recorded = { recordSequence: message.sequence, since, dueAt: nextAttemptAt ?? 0 };
    const delivery = queuedRecord({ sequence, index }, lane, recorded);
    this.#undelivered.schedule.arrange(this.#undelivered.add(delivery));
    if (this.#isStarted && !this.#subscription.isActive) this.#hold(delivery);
    this.#pump();
  }

  /** Takes note of what its agent changed. */
  update(subscription: SubscriptionRecord): void {
    this.#subscription = subscription;
    if (subscription.isActive || !this.#isStarted) return this.#pump();
    void this.#undelivered.changeAll((delivery) =>
      this.#undelivered.end(delivery, undefined, asHeld),
    );
  }

  /** Records all that waits only in memory, so that the feed can go on without it. */
  spill(): void {
    this.#undelivered.recordAll();
  }

  /** The feed is read again from its position. */
  forgetOffered(): void {
    this.#undelivered.forgetOffered();
  }

  /** The subscription was deleted. @param isOwed whether the events go on by WebSocket */
  retire(isOwed: boolean): void {
    this.#afterDeletion = isOwed ? 'owed' : 'given up';
    this.stop();
    void this.#undelivered.changeAll((delivery) => this.#drop(delivery, undefined));
  }

  /** Sends nothing more. What is in flight ends by itself. */
  stop(): void {
    this.#isClosed = true;
    this.#undelivered.schedule.stop();
  }

  /** Resolves when what is in flight now has ended. */
  async sent(): Promise<void> {
    await Promise.all(this.#sending);
  }

  #pump(): void {
    if (this.#isClosed || !this.#isStarted || !this.#subscription.isActive) return;
    const { schedule } = this.#undelivered;
    const isResting = this.#health.restUntil > Date.now();
    while (!isResting && this.#sending.size < this.#health.slots) {
      const lane = schedule.takeReady();
      if (!lane?.head) return;
      const sending = this.#send(lane, lane.head);
      this.#sending.add(sending);
      void sending.then(() => this.#afterSend(sending));
    }
    if (isResting && schedule.hasReady) schedule.wakeAt(this.#health.restUntil);
  }

  #afterSend(sending: Promise<void>): void {
    this.#sending.delete(sending);
    this.#pump();
    if (this.#sending.size === 0) this.#opened.forget();
  }

  async #send(lane: Lane, delivery: QueuedDelivery): Promise<void> {
    delivery.isInFlight = true;
    try {
      await this.#attempt(lane, delivery);
    } catch (error) {
      this.#report(error);
      delivery.dueAt = Date.now() + troublePause;
    }
    delivery.isInFlight = false;
    if (delivery.recordSequence > 0) delivery.event = undefined;
    this.#undelivered.schedule.arrange(lane);
    // Whoever changed all the others has left this one out.
    if (this.#afterDeletion) this.#drop(delivery, undefined).catch((error) => this.#report(error));
    else if (!this.#subscription.isActive) this.#hold(delivery);
  }

  async #attempt(lane: Lane, delivery: QueuedDelivery): Promise<void> {
    const { context, lease } = this.#options;
    const loaded = await this.#records.load(delivery);
    if (loaded === 'lost') return this.stop();
    if (loaded === 'gone') return this.#undelivered.finish(delivery);
    const { body, record } = loaded;
    if (!body) return this.#giveUp(delivery, loaded);
    // Whoever took over sends it now.
    if (!lease.isHeld() || this.#isClosed) return this.stop();
    if (delivery.event && record.attemptCount === 0) observeFirstAttempt(delivery.event);
    const { eventId, revision } = record;
    const number = record.attemptCount + 1;
    const endpoint = this.#opened.get(this.#subscription, Date.now());
    const sent = await sendEvent(context, endpoint, { eventId, revision, body, number });
    countAttempt(sent.kind);
    if (sent.kind === 'delivered') {
      this.#health.answered();
      return this.#undelivered.finishAndRemove(delivery);
    }
    await this.#takeFailure(lane, delivery, withAttempt(loaded, sent.attempt), sent);
  }

  async #takeFailure(lane: Lane, delivery: QueuedDelivery, loaded: LoadedDelivery, failed: Failed) {
    if (failed.kind === 'rejected') {
      this.#health.answered();
      if (failed.attempt.http_status === 410) this.#turnOff();
      return this.#giveUp(delivery, loaded);
    }
    const { retryAfterSeconds } = failed;
    const now = Date.now();
    const delay = retryDelay(this.#options.context.schedule, {
      attempts: loaded.record.roundAttempts,
      retryAfterSeconds,
      random: Math.random(),
    });
    const isThrottled = failed.attempt.http_status === 429 && retryAfterSeconds !== undefined;
    this.#health.failed(now, isThrottled ? now + (delay ?? 0) : 0);
    if (this.#afterDeletion) return this.#drop(delivery, loaded);
    if (!this.#subscription.isActive) return this.#undelivered.end(delivery, loaded, asHeld);
    if (delay === undefined) return this.#giveUp(delivery, loaded);
    delivery.dueAt = now + delay;
    return this.#undelivered.recordRetry(lane, delivery, loaded);
  }

  #hold(delivery: QueuedDelivery): void {
    if (delivery.isDone) return;
    this.#undelivered
      .end(delivery, undefined, asHeld)
      .catch((error: unknown) => this.#report(error));
  }

  #giveUp(delivery: QueuedDelivery, loaded: LoadedDelivery | undefined): Promise<void> {
    return this.#undelivered.end(delivery, loaded, (ended) => asDeadLetter(ended, Date.now()));
  }

  async #drop(delivery: QueuedDelivery, loaded: LoadedDelivery | undefined): Promise<void> {
    if (delivery.isDone) return;
    if (this.#afterDeletion === 'owed') this.#undelivered.finishAndRemove(delivery);
    else await this.#giveUp(delivery, loaded);
  }

  #remember(place: Place): void {
    this.#ended ??= new LRUCache({ max: rememberedEnds });
    this.#ended.set(placeKey(place), true);
  }

  #turnOff(): void {
    if (!this.#subscription.isActive) return;
    this.#options.onGone();
    this.update({ ...this.#subscription, isActive: false });
  }

  #report(error: unknown): void {
    const { agentId, context } = this.#options;
    const subscriptionId = this.#subscription.id;
    context.logger.error({ agentId, subscriptionId, err: error }, 'webhook.failed');
  }
}
