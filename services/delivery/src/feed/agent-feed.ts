import { feedKey, type LiveSubscription, type StreamMessage, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { FeedContext, FeedOwner } from './feed-context.ts';
import {
  commonTypes,
  doneThrough,
  type FeedRecord,
  isWebhookMode,
  type ReplicaState,
  withDone,
  withFullSyncComplete,
  withReplica,
} from './feed-record.ts';
import { FeedRecordKeeper } from './feed-record-keeper.ts';
import { type FeedConsumer, FeedRun, type FeedRunOwner } from './feed-run.ts';
import { GoneReplicas } from './gone-replicas.ts';
import { Observers } from './observers.ts';
import { isAfter } from './position.ts';
import { settleLoss } from './settle-loss.ts';

/**
 * A consumer that was told to connect again counts for so long as if it were still there: longer than the
 * longest time that an SDK waits (contract §6.6), or two with different types push each other out for ever.
 */
const reconnectMilliseconds = 35_000;
/** Saves that fail one after the other while NATS is there, until consumers are told. */
const maximumFailedSaves = 10;

/** The feed of one agent in this process, shared by all its connections. */
export class AgentFeed implements FeedRunOwner {
  readonly agentId: AgentId;
  /** Rejects when NATS is away. */
  readonly opened: Promise<void>;
  readonly #registeredAt: number;
  readonly #context: FeedContext;
  readonly #onUnused: () => void;
  readonly #keeper: FeedRecordKeeper;
  readonly #goneReplicas: GoneReplicas;
  #subscription: LiveSubscription | undefined;
  /** Those whose types are being agreed on with the other replicas, and those told to connect again. */
  #others: Map<FeedConsumer, 'joining' | 'reconnecting'> | undefined;
  #holders = 0;
  #failedSaves = 0;
  #isOpen = false;
  #isRolledBack = false;
  #observers: Observers | undefined;
  #run: FeedRun;

  /** @param onUnused nobody holds it any more, and all is saved */
  constructor(context: FeedContext, { agentId, registeredAt }: FeedOwner, onUnused: () => void) {
    this.agentId = agentId;
    this.#registeredAt = registeredAt;
    this.#context = context;
    this.#onUnused = onUnused;
    this.#goneReplicas = new GoneReplicas(context);
    this.#keeper = new FeedRecordKeeper(context.records, feedKey(agentId), (record, isOlder) =>
      this.#take(record, isOlder),
    );
    this.#run = this.#begin();
    this.opened = this.#open();
  }

  get record(): FeedRecord {
    return this.#keeper.record;
  }

  get observers(): Observers {
    this.#observers ??= new Observers(this.#context, this.agentId);
    return this.#observers;
  }

  /** Connections, and upgrades to them. */
  get holders(): number {
    return this.#holders;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    this.#endIfUnused();
  }

  /**
   * Agrees with all replicas on the types in force. Connections whose numbers change by it have to
   * connect again.
   * @param start called in the tick in which the consumer becomes part of the run
   */
  async join(consumer: FeedConsumer, start: (run: FeedRun) => void): Promise<void> {
    this.#others ??= new Map();
    this.#others.set(consumer, 'joining');
    try {
      await this.#goneReplicas.find(this.record);
      await this.save();
    } catch (error) {
      this.#forget(consumer);
      throw error;
    }
    // It may have gone meanwhile.
    if (!this.#forget(consumer)) return;
    if (isWebhookMode(this.record)) return consumer.refuse();
    start(this.#run);
    this.#run.add(consumer);
  }

  /**
   * Lets somebody watch, from what is acknowledged on.
   * @param start called in the tick in which the observer becomes part of its run
   */
  observe(observer: FeedConsumer, start: (run: FeedRun) => void): void {
    const { acked, position } = this.#run;
    const done = withDone(this.record, position) ?? this.record;
    this.observers.add(observer, { ...done, acked }, start);
  }

  leave(consumer: FeedConsumer): void {
    if (this.#others?.get(consumer) === 'joining') this.#forget(consumer);
    this.#run.remove(consumer);
    if (this.#hasNews()) this.#context.saver.hurry(this);
  }

  /**
   * Writes that a client has confirmed a full sync; events follow then, at every replica.
   * @throws RelayError unavailable
   */
  completeFullSync({ epoch }: FeedRun, through: number): Promise<void> {
    return this.#keeper.change((record) =>
      record.epoch === epoch ? withFullSyncComplete(record, through) : undefined,
    );
  }

  /** Looks for what was not heard of: stored events, and replicas that are no more. */
  async look(): Promise<void> {
    this.#run.look();
    this.#observers?.look();
    await this.#goneReplicas.find(this.record);
    if (this.#hasNews()) this.#context.saver.add(this);
  }

  /** After a gap in what is heard. */
  async refresh(): Promise<void> {
    await this.#keeper.read();
    const run = this.#run;
    const wasRolledBack = this.#isRolledBack;
    await this.#settleLoss();
    if (wasRolledBack && this.#run === run) this.#beginAgain();
    await this.look();
  }

  /** Writes what this replica has to say: what its consumers accept and have acknowledged. */
  async save(): Promise<void> {
    try {
      await this.#keeper.change((record) => withReplica(record, this.#state()));
    } catch (error) {
      this.#countFailedSave();
      throw error;
    }
    this.#failedSaves = 0;
    this.#endIfUnused();
  }

  close(): void {
    this.#subscription?.unsubscribe();
    this.#run.close();
    this.#observers?.close();
  }

  async #open(): Promise<void> {
    const { bus } = this.#context;
    const subject = subjects.feed(this.agentId);
    this.#subscription = bus.live.subscribe(subject, (message) => this.#hear(message));
    await this.#subscription.ready;
    await this.#keeper.read();
    await this.#settleLoss();
    this.#beginAgain();
    this.#isOpen = true;
  }

  /** Before the record is read, nobody knows where to begin. The first look finds what came till then. */
  #hear(message: StreamMessage): void {
    if (!message.subject.startsWith('inbox.')) return this.#keeper.hear(message);
    if (!this.#isOpen) return;
    this.#run.hear(message);
    this.#observers?.hear(message);
  }

  #begin(): FeedRun {
    return new FeedRun(this.#context, this, this.record);
  }

  #take(record: FeedRecord, isOlder: boolean): void {
    this.#isRolledBack ||= isOlder;
    // What is lost is found out first, so that connections come back to an answer.
    if (isOlder) return;
    if (record.epoch === this.#run.epoch) this.#run.learn(record);
    else this.#beginAgain();
  }

  /** Reads all again from the record's position, under other numbers, or ends where webhooks begin. */
  #beginAgain(): void {
    const acksWereLost = isAfter(this.#run.position, doneThrough(this.record));
    const stale = [...this.#run.consumers];
    this.#run.close();
    this.#run = this.#begin();
    for (const consumer of stale) {
      if (isWebhookMode(this.record)) consumer.refuse();
      else {
        this.#awaitReconnect(consumer);
        consumer.restart(acksWereLost);
      }
    }
    this.#observers?.end(this.record);
  }

  #awaitReconnect(consumer: FeedConsumer): void {
    this.#others ??= new Map();
    this.#others.set(consumer, 'reconnecting');
    const forget = () => {
      this.#forget(consumer);
      this.#context.saver.add(this);
    };
    setTimeout(forget, reconnectMilliseconds).unref();
  }

  /** @returns whether it was there */
  #forget(consumer: FeedConsumer): boolean {
    const wasThere = this.#others?.delete(consumer) ?? false;
    if (this.#others?.size === 0) this.#others = undefined;
    return wasThere;
  }

  onMoved(): void {
    if (isAfter(this.#run.position, doneThrough(this.record))) this.#context.saver.add(this);
  }

  /** What was acknowledged before the gap counts, so it is saved first. */
  async onGap(): Promise<void> {
    await this.save();
    await this.#settleLoss();
  }

  async #settleLoss(): Promise<void> {
    const { bus, bounds } = this.#context;
    await settleLoss(this.#keeper, {
      inbox: bus.inbox,
      bounds,
      agentId: this.agentId,
      registeredAt: this.#registeredAt,
      readThrough: this.#run.lastRead,
      isRolledBack: this.#isRolledBack,
      restoredAt: bus.restoredAt,
    });
    this.#isRolledBack = false;
  }

  #countFailedSave(): void {
    if (!this.#context.bus.isConnected()) return;
    this.#failedSaves += 1;
    if (this.#failedSaves < maximumFailedSaves) return;
    this.#failedSaves = 0;
    for (const consumer of this.#run.consumers) consumer.fail('ack_failed');
  }

  #state(): ReplicaState {
    const consumers = [...this.#run.consumers, ...(this.#others?.keys() ?? [])];
    const { acked, position, verified } = this.#run;
    // What was acknowledged of a store that is gone says nothing about an older one.
    const epoch = this.#isRolledBack ? -1 : this.#run.epoch;
    return {
      replicaId: this.#context.replicaId,
      accepts: commonTypes(consumers.map(({ accepts }) => accepts)),
      goneReplicas: this.#goneReplicas.found,
      epoch,
      acked,
      position,
      verified,
    };
  }

  /** What this process last wrote may not be what it has to say any more. */
  #hasNews(): boolean {
    const { isUncertain } = this.#keeper;
    return isUncertain || withReplica(this.record, this.#state()) !== undefined;
  }

  #endIfUnused(): void {
    const isUsed = this.#holders + (this.#others?.size ?? 0) > 0;
    if (!isUsed && !this.#hasNews()) this.#onUnused();
  }
}
