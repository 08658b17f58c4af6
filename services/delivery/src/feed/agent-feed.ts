import {
  type Bucket,
  type Bus,
  feedKey,
  type LiveSubscription,
  type StreamMessage,
  subjects,
} from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { BacklogReader } from './backlog.ts';
import type { ByteBudget } from './byte-budget.ts';
import { commonTypes, type FeedRecord, type ReplicaState, withReplica } from './feed-record.ts';
import { FeedRecordKeeper } from './feed-record-keeper.ts';
import { type FeedConsumer, FeedRun } from './feed-run.ts';
import type { FeedSaver } from './feed-saver.ts';
import { isAfter } from './position.ts';

/** A consumer that was told to connect again counts for so long as if it were still there. */
const reconnectMilliseconds = 10_000;

export interface FeedContext {
  readonly bus: Bus;
  readonly records: Bucket<FeedRecord>;
  readonly saver: FeedSaver;
  readonly backlog: BacklogReader;
  readonly budget: ByteBudget;
  readonly logger: Logger;
  readonly replicaId: string;
  /** The group of leases by which replicas show that they are there. */
  readonly group: string;
}

/** The feed of one agent in this process, shared by all its connections. */
export class AgentFeed {
  readonly agentId: AgentId;
  /** Rejects when NATS is away. */
  readonly opened: Promise<void>;
  readonly #context: FeedContext;
  readonly #onUnused: () => void;
  readonly #keeper: FeedRecordKeeper;
  readonly #subscriptions: LiveSubscription[] = [];
  /** Those whose types are being agreed on with the other replicas. */
  readonly #joining = new Set<FeedConsumer>();
  /** Those told to connect again. Two with different types would otherwise push each other out for ever. */
  readonly #reconnecting = new Set<FeedConsumer>();
  #goneReplicas: ReadonlySet<string> = new Set();
  #holders = 0;
  #isOpen = false;
  #run: FeedRun;

  /** @param onUnused nobody holds it any more, and all is saved */
  constructor(context: FeedContext, agentId: AgentId, onUnused: () => void) {
    this.agentId = agentId;
    this.#context = context;
    this.#onUnused = onUnused;
    const onRecord = (record: FeedRecord) => this.#take(record);
    this.#keeper = new FeedRecordKeeper(context.records, feedKey(agentId), onRecord);
    this.#run = this.#begin();
    this.opened = this.#open();
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
    this.#joining.add(consumer);
    try {
      await this.#findGoneReplicas();
      await this.save();
    } catch (error) {
      this.#joining.delete(consumer);
      throw error;
    }
    // It may have gone meanwhile.
    if (!this.#joining.delete(consumer)) return;
    start(this.#run);
    this.#run.add(consumer);
  }

  leave(consumer: FeedConsumer): void {
    this.#joining.delete(consumer);
    this.#run.remove(consumer);
    if (this.#hasNews()) this.#context.saver.hurry(this);
  }

  /** Looks for what was not heard of: stored events, and replicas that are no more. */
  async look(): Promise<void> {
    this.#run.look();
    await this.#findGoneReplicas();
    if (this.#hasNews()) this.#context.saver.add(this);
  }

  /** After a gap in what is heard. */
  async refresh(): Promise<void> {
    await this.#keeper.read();
    await this.look();
  }

  /** Writes what this replica has to say: what its consumers accept and have acknowledged. */
  async save(): Promise<void> {
    await this.#keeper.change((record) => withReplica(record, this.#state()));
    this.#endIfUnused();
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#run.close();
  }

  async #open(): Promise<void> {
    const { bus } = this.#context;
    this.#subscriptions.push(
      bus.live.subscribe(subjects.feed(this.agentId), (message) => this.#keeper.hear(message)),
      bus.inbox.follow(this.agentId, (message) => this.#hear(message)),
    );
    await Promise.all(this.#subscriptions.map(({ ready }) => ready));
    await this.#keeper.read();
    this.#beginAgain();
    this.#isOpen = true;
  }

  /** Before the record is read, nobody knows where to begin. The first look finds what came till then. */
  #hear(message: StreamMessage): void {
    if (this.#isOpen) this.#run.hear(message);
  }

  #begin(): FeedRun {
    const { agentId } = this;
    const { bus, backlog, budget, logger } = this.#context;
    const { record } = this.#keeper;
    const onMoved = () => this.#onMoved();
    return new FeedRun({ bus, agentId, backlog, budget, record, logger, onMoved });
  }

  #take(record: FeedRecord): void {
    if (record.epoch === this.#run.epoch) this.#run.learn(record);
    else this.#beginAgain();
  }

  /** Reads all again from the record's position, under other numbers. */
  #beginAgain(): void {
    const acksWereLost = isAfter(this.#run.position, this.#keeper.record.position);
    const stale = [...this.#run.consumers];
    this.#run.close();
    this.#run = this.#begin();
    for (const consumer of stale) {
      this.#awaitReconnect(consumer);
      consumer.restart(acksWereLost);
    }
  }

  #awaitReconnect(consumer: FeedConsumer): void {
    this.#reconnecting.add(consumer);
    const forget = () => {
      this.#reconnecting.delete(consumer);
      this.#context.saver.add(this);
    };
    setTimeout(forget, reconnectMilliseconds).unref();
  }

  #onMoved(): void {
    const { position } = this.#keeper.record;
    if (isAfter(this.#run.position, position)) this.#context.saver.add(this);
  }

  async #findGoneReplicas(): Promise<void> {
    const { bus, group, replicaId } = this.#context;
    const others = Object.keys(this.#keeper.record.accepts).filter((id) => id !== replicaId);
    const gone = new Set<string>();
    for (const other of others) if (!(await bus.isPresent(group, other))) gone.add(other);
    this.#goneReplicas = gone;
  }

  #state(): ReplicaState {
    const consumers = [...this.#run.consumers, ...this.#joining, ...this.#reconnecting];
    const { epoch, acked, position } = this.#run;
    return {
      replicaId: this.#context.replicaId,
      accepts: commonTypes(consumers.map(({ accepts }) => accepts)),
      goneReplicas: this.#goneReplicas,
      epoch,
      acked,
      position,
      verified: null,
    };
  }

  #hasNews(): boolean {
    return withReplica(this.#keeper.record, this.#state()) !== undefined;
  }

  #endIfUnused(): void {
    const isUsed = this.#holders + this.#reconnecting.size > 0;
    if (!isUsed && !this.#hasNews()) this.#onUnused();
  }
}
