import {
  type InboxEvent,
  type Lease,
  readDelivery,
  readDeliveryKey,
  type StreamMessage,
} from '@relay/bus';
import type { AgentId, SubscriptionId } from '@relay/protocol';
import { LRUCache } from 'lru-cache';
import { type FeedRecord, isAhead, isWebhookMode } from '../feed/feed-record.ts';
import type { Place } from '../feed/position.ts';
import type { Channel } from './channel.ts';
import { DeliveryRecords, type LoadedDelivery } from './delivery-records.ts';
import { EndpointHealth } from './endpoint-health.ts';
import type { Lane } from './lane.ts';
import { countAttempt, observeFirstAttempt, type Pending } from './metrics.ts';
import { placeKey, type QueuedDelivery, queuedEvent, queuedRecord } from './queued-delivery.ts';
import { asDeadLetter, asHeld, withAttempt } from './record-changes.ts';
import { retryDelay } from './retry-schedule.ts';
import type { Failed } from './send-event.ts';
import { Undelivered } from './undelivered.ts';
import type { WebhookContext } from './webhook-context.ts';

/** As many as a feed may be ahead of its saved position, and more. */
const rememberedEnds = 1_000;
/** Something is broken here: no attempt was made. */
const troublePause = 1_000;

export interface EndpointOptions<Way extends Channel> {
  readonly context: WebhookContext;
  readonly agentId: AgentId;
  readonly lease: Lease;
  /** Of the subscription, or of what stands for it. */
  readonly id: SubscriptionId;
  readonly channel: Way;
  /** Something is done with, or recorded. */
  readonly onProgress: () => void;
}

/** Sends events to one endpoint: each lane in order, lanes side by side. */
export class Endpoint<Way extends Channel = Channel> {
  readonly channel: Way;
  readonly #options: EndpointOptions<Way>;
  readonly #records: DeliveryRecords;
  readonly #undelivered: Undelivered;
  readonly #health: EndpointHealth;
  readonly #sending = new Set<Promise<void>>();
  #isStarted = false;
  #isClosed = false;
  /** The feed as it was when the subscription was gone, which says what becomes of the rest. */
  #afterDeletion: FeedRecord | undefined;
  /** What was held or given up last: the feed may offer it again before its position is saved. */
  #ended: LRUCache<string, true> | undefined;

  constructor(options: EndpointOptions<Way>) {
    const { context, lease, agentId, id, channel, onProgress } = options;
    this.#options = options;
    this.channel = channel;
    const place = { agentId, subscriptionId: id };
    this.#records = new DeliveryRecords(context, lease, place, channel);
    this.#health = new EndpointHealth(context.schedule);
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

  /** Begins to send. What is recorded must be known before it, or newer events would overtake it. */
  start(): void {
    this.#isStarted = true;
    this.update();
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
    if (!this.channel.isActive) return this.#hold(delivery);
    const isBehindFailed = lane.head !== delivery && lane.isBlocked;
    if (isBehindFailed || this.isFailing) this.#undelivered.recordUpTo(lane, delivery);
    this.#undelivered.schedule.arrange(lane);
    this.#pump();
  }

  /** Takes in what DELIVERIES holds: at the takeover, and when it was redriven. */
  adopt(message: StreamMessage): void {
    const { status } = readDelivery(message);
    const { sequence, index } = readDeliveryKey(message);
    if (status !== 'pending') return this.#remember({ sequence, index });
    this.#ended?.delete(placeKey({ sequence, index }));
    const known = this.#undelivered.find({ sequence, index });
    if (known) {
      if (message.sequence > known.recordSequence) known.heard = message;
      return;
    }
    const delivery = queuedRecord(message);
    this.#undelivered.schedule.arrange(this.#undelivered.add(delivery));
    if (this.#isStarted && !this.channel.isActive) this.#hold(delivery);
    this.#pump();
  }

  /** Takes note of what was changed of its channel. */
  update(): void {
    if (this.channel.isActive || !this.#isStarted) return this.#pump();
    void this.#undelivered.changeAll((delivery) =>
      this.#undelivered.end(delivery, undefined, asHeld),
    );
  }

  /**
   * Records what waits only in memory, so that the feed can go on without it.
   * @param through what is further on is left out
   */
  spill(through?: Place): void {
    this.#undelivered.recordAll(through);
  }

  /** Resolves when what is being recorded is. */
  spilled(): Promise<void> {
    return this.#undelivered.written();
  }

  /** The feed is read again from its position. */
  forgetOffered(): void {
    this.#undelivered.forgetOffered();
  }

  /** The subscription was deleted. @param feed as it is without it */
  retire(feed: FeedRecord): void {
    this.#afterDeletion = feed;
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
    if (this.#isClosed || !this.#isStarted || !this.channel.isActive) return;
    const { schedule } = this.#undelivered;
    const isResting = this.#health.restUntil > Date.now();
    while (!isResting && this.#sending.size < this.#health.slots) {
      // Some events never pass: they must not keep an endpoint resting that would take others.
      const lane = schedule.takeReady(this.#health.isRecovering);
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
    else if (!this.channel.isActive) this.#hold(delivery);
  }

  async #attempt(lane: Lane, delivery: QueuedDelivery): Promise<void> {
    const { lease } = this.#options;
    const loaded = await this.#records.load(delivery);
    if (loaded === 'lost') return this.stop();
    if (loaded === 'gone') return this.#undelivered.finish(delivery);
    const { body, record } = loaded;
    if (!body) return this.#giveUp(delivery, loaded);
    // Whoever took over sends it now.
    if (!lease.isHeld() || this.#isClosed) return this.stop();
    if (delivery.event && record.attemptCount === 0) observeFirstAttempt(delivery.event);
    const sent = await this.channel.send({ place: delivery.place, record, body });
    if (sent.kind === 'unwanted') return this.#undelivered.finishAndRemove(delivery);
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
      if (this.#afterDeletion) return this.#drop(delivery, loaded);
      if (failed.attempt.http_status === 410) this.#turnOff();
      return this.#giveUp(delivery, loaded);
    }
    const { retryAfterSeconds } = failed;
    delivery.attempts = loaded.record.roundAttempts;
    const now = Date.now();
    const delay = retryDelay(this.#options.context.schedule, {
      attempts: loaded.record.roundAttempts,
      retryAfterSeconds,
      random: Math.random(),
    });
    const isThrottled = failed.attempt.http_status === 429 && retryAfterSeconds !== undefined;
    this.#health.failed(now, isThrottled ? now + (delay ?? 0) : 0);
    if (this.#afterDeletion) return this.#drop(delivery, loaded);
    if (!this.channel.isActive) return this.#undelivered.end(delivery, loaded, asHeld);
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
    if (this.#goesOn(delivery)) this.#undelivered.finishAndRemove(delivery);
    else await this.#giveUp(delivery, loaded);
  }

  /** By WebSocket: all that waited at the switch does. What was redriven after it was never owed. */
  #goesOn({ place, isRedriven }: QueuedDelivery): boolean {
    const feed = this.#afterDeletion;
    if (!feed || isWebhookMode(feed)) return false;
    return !isRedriven || isAhead(feed, place);
  }

  #remember(place: Place): void {
    this.#ended ??= new LRUCache({ max: rememberedEnds });
    this.#ended.set(placeKey(place), true);
  }

  #turnOff(): void {
    this.channel.turnOff();
    this.update();
  }

  #report(error: unknown): void {
    const { agentId, context, id: subscriptionId } = this.#options;
    context.logger.error({ agentId, subscriptionId, err: error }, 'webhook.failed');
  }
}
