import {
  feedKey,
  type InboxEvent,
  type Lease,
  type LiveSubscription,
  readDeliveryKey,
  type StreamMessage,
} from '@relay/bus';
import { type AgentId, type SubscriptionId, timestampAt } from '@relay/protocol';
import { FeedReader, type FeedReaderOwner } from '../feed/feed-reader.ts';
import { doneThrough, type FeedRecord, isWebhookMode, withDone } from '../feed/feed-record.ts';
import { FeedRecordKeeper } from '../feed/feed-record-keeper.ts';
import { isAfter, type Place } from '../feed/position.ts';
import { Endpoint } from './endpoint.ts';
import { EventWindow } from './event-window.ts';
import type { Pending } from './metrics.ts';
import type { SubscriptionRecord } from './subscription.ts';
import { SubscriptionChannel } from './subscription-channel.ts';
import type { WebhookContext } from './webhook-context.ts';
import { withPatience } from './with-patience.ts';

/** Past this the feed is read no further, lest what waits outgrow the memory. */
const maximumRecorded = 100_000;
/** The same while nobody else waits for the feed: one endpoint that fails is not worth more records. */
const maximumRecordedAlone = 1_000;

interface Run {
  readonly epoch: number;
  readonly window: EventWindow;
  readonly reader: FeedReader;
}

/** The webhooks of one agent: its feed, read from its position, and the endpoints it is sent to. */
export class AgentWebhooks {
  readonly #context: WebhookContext;
  readonly #agentId: AgentId;
  readonly #lease: Lease;
  readonly #keeper: FeedRecordKeeper;
  readonly #endpoints = new Map<SubscriptionId, Endpoint<SubscriptionChannel>>();
  #run: Run | undefined;
  #live: LiveSubscription | undefined;
  #isStarted = false;
  #isClosed = false;

  /** @param record its feed record, as it is stored */
  constructor(context: WebhookContext, agentId: AgentId, lease: Lease, record: StreamMessage) {
    this.#context = context;
    this.#agentId = agentId;
    this.#lease = lease;
    this.#keeper = new FeedRecordKeeper(context.records, feedKey(agentId), (changed, isOlder) =>
      this.#take(changed, isOlder),
    );
    this.#keeper.hear(record);
  }

  /** Nothing is on its way or looked for, and all is saved. */
  get isIdle(): boolean {
    const isAllSent = [...this.#endpoints.values()].every(({ isIdle }) => isIdle);
    const isAllRead = this.#run?.window.isEmpty === true && this.#run.reader.isUpToDate;
    return isAllSent && isAllRead && !this.#hasNews();
  }

  get pending(): readonly Pending[] {
    return [...this.#endpoints.values()].map(({ pending }) => pending);
  }

  /** Begins to read and to send. What DELIVERIES holds must be adopted before. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const endpoint of this.#endpoints.values()) endpoint.start();
    this.#follow();
    this.#beginAgain();
  }

  /** Takes its feed record, as it is stored. */
  hear(record: StreamMessage): void {
    this.#keeper.hear(record);
  }

  has(subscriptionId: SubscriptionId): boolean {
    return this.#endpoints.has(subscriptionId);
  }

  /** Takes the record of a delivery to one of its subscriptions, as it is stored. */
  adopt(delivery: StreamMessage): void {
    this.#endpoints.get(readDeliveryKey(delivery).subscriptionId)?.adopt(delivery);
  }

  /** Looks whether there is news, if a message that is stored was not taken in. */
  lookFor(sequence: number): void {
    if (!this.#run || this.#run.window.lastSequence >= sequence) return;
    this.#run.reader.look();
  }

  async save(): Promise<void> {
    await this.#keeper.change((record) =>
      this.#run?.epoch === record.epoch ? withDone(record, this.#run.window.done) : undefined,
    );
  }

  /** Sends nothing more. What is in flight ends by itself. */
  close(): void {
    this.#stop();
    this.#end();
  }

  /**
   * Sends nothing more, gives what is in flight a little time, and saves how far it is, if NATS answers in
   * time. What was not taken is recorded where something further on was, which would be sent again otherwise.
   */
  async finish(): Promise<void> {
    this.#stop();
    const endpoints = [...this.#endpoints.values()];
    await withPatience(endpoints.map((endpoint) => endpoint.sent()));
    const through = this.#run?.window.lastPassed;
    if (through) for (const endpoint of endpoints) endpoint.spill(through);
    await withPatience(endpoints.map((endpoint) => endpoint.spilled()));
    await withPatience([this.save().catch(() => undefined)]);
    this.#end();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#live?.unsubscribe();
    this.#run?.reader.close();
    for (const endpoint of this.#endpoints.values()) endpoint.stop();
  }

  /** Wake-ups are hints: without them it looks when a header tells of something new. */
  #follow(): void {
    try {
      this.#live = this.#context.bus.inbox.follow(this.#agentId, (message) =>
        this.#run?.reader.hear(message),
      );
      this.#live.ready.catch(() => undefined);
    } catch {
      this.#live = undefined;
    }
  }

  /** @param isOlder the store has gone back: what was done since then counts no longer */
  #take(record: FeedRecord, isOlder: boolean): void {
    const isRereadDue =
      isOlder || record.epoch !== this.#run?.epoch || this.#mayMiss(record.subscriptions);
    if (this.#isClosed) {
      // How far it is says nothing about those that were not known.
      if (isRereadDue) this.#end();
      return;
    }
    this.#arrangeEndpoints(record);
    if (isRereadDue) this.#beginAgain();
  }

  /** Whether one of them may miss what was read before it was known. */
  #mayMiss(subscriptions: readonly SubscriptionRecord[]): boolean {
    return subscriptions.some(({ id, subscribedEvents }) => {
      const known = this.#endpoints.get(id);
      return !known || subscribedEvents.some((type) => !known.channel.wants(type));
    });
  }

  #arrangeEndpoints(record: FeedRecord): void {
    const subscriptions = new Map(record.subscriptions.map((each) => [each.id, each]));
    for (const [id, endpoint] of this.#endpoints) {
      if (subscriptions.has(id)) continue;
      endpoint.retire(record);
      this.#endpoints.delete(id);
    }
    for (const subscription of record.subscriptions) this.#arrangeEndpoint(subscription);
  }

  #arrangeEndpoint(subscription: SubscriptionRecord): void {
    const known = this.#endpoints.get(subscription.id);
    if (known) {
      known.channel.update(subscription);
      known.update();
      return;
    }
    const [context, agentId] = [this.#context, this.#agentId];
    const onGone = () => this.#turnOff(subscription.id);
    const endpoint = new Endpoint({
      context,
      agentId,
      lease: this.#lease,
      id: subscription.id,
      channel: new SubscriptionChannel({ context, agentId, subscription, onGone }),
      onProgress: () => this.#onProgress(),
    });
    this.#endpoints.set(subscription.id, endpoint);
    if (this.#isStarted) endpoint.start();
  }

  /** Reads the feed from its position. What is not begun is offered again. */
  #beginAgain(): void {
    if (!this.#isStarted) return;
    this.#end();
    for (const endpoint of this.#endpoints.values()) endpoint.forgetOffered();
    const { record } = this.#keeper;
    if (!isWebhookMode(record)) return;
    const { budget } = this.#context;
    const window = new EventWindow({
      budget,
      dispatch: (event, place, onPassed) => this.#dispatch(event, place, onPassed),
      isFull: () => this.#isFull(),
    });
    const owner: FeedReaderOwner = {
      agentId: this.#agentId,
      onProgress: () => this.#onProgress(),
      onUnreadable: () => undefined,
      // Whatever was removed by age cannot be sent any more.
      onGap: () => Promise.resolve(),
    };
    const reader = new FeedReader(this.#context, owner, window, record);
    this.#run = { epoch: record.epoch, window, reader };
    reader.look();
  }

  #end(): void {
    this.#run?.reader.close();
    this.#run?.window.clear();
    this.#run = undefined;
  }

  #dispatch(event: InboxEvent, place: Place, onPassed: () => void): number {
    const wanting = [...this.#endpoints.values()].filter(({ channel }) =>
      channel.wants(event.type),
    );
    for (const endpoint of wanting) endpoint.offer(event, place, onPassed);
    return wanting.length;
  }

  #isFull(): boolean {
    const endpoints = [...this.#endpoints.values()];
    const recorded = endpoints.reduce((sum, endpoint) => sum + endpoint.recorded, 0);
    const isAlone = endpoints.length === 1 && endpoints[0]?.isFailing === true;
    return recorded >= (isAlone ? maximumRecordedAlone : maximumRecorded);
  }

  #onProgress(): void {
    if (!this.#run) return;
    if (this.#hasNews()) this.#context.saver.add(this);
    this.#spillIfStarving();
    this.#run.reader.goOn();
  }

  /** One endpoint that is slow must not hold up another one that could go on. */
  #spillIfStarving(): void {
    if (this.#endpoints.size < 2 || this.#run?.window.hasRoom !== false) return;
    const endpoints = [...this.#endpoints.values()];
    if (!endpoints.some(({ isIdle }) => isIdle)) return;
    for (const endpoint of endpoints) endpoint.spill();
  }

  #hasNews(): boolean {
    return isAfter(this.#run?.window.done ?? null, doneThrough(this.#keeper.record));
  }

  #turnOff(id: SubscriptionId): void {
    const updatedAt = timestampAt(Date.now());
    const turnOff = (subscription: SubscriptionRecord): SubscriptionRecord =>
      subscription.id === id ? { ...subscription, isActive: false, updatedAt } : subscription;
    const isOn = (record: FeedRecord) =>
      record.subscriptions.some((each) => each.id === id && each.isActive);
    this.#keeper
      .change((record) =>
        isOn(record) ? { ...record, subscriptions: record.subscriptions.map(turnOff) } : undefined,
      )
      .catch((error: unknown) =>
        this.#context.logger.warn({ agentId: this.#agentId, err: error }, 'webhook.not_turned_off'),
      );
  }
}
