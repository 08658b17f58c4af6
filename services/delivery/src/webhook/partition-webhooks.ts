import {
  agentIdOfSubject,
  type DeliveryKey,
  type Lease,
  type Partition,
  readDelivery,
  readDeliveryKey,
  type StreamMessage,
  subjects,
  withOwnBody,
} from '@relay/bus';
import type { AgentId, DeliveryStatus } from '@relay/protocol';
import { feedRecordSchema } from '../feed/feed-record.ts';
import { isAfter, isInsideMessage, type Position } from '../feed/position.ts';
import { PushDeliveries } from '../push/push-deliveries.ts';
import { AgentWebhooks } from './agent-webhooks.ts';
import { FollowedStream } from './followed-stream.ts';
import type { InboxNews } from './inbox-news.ts';
import type { Pending } from './metrics.ts';
import { deletedBetween, dropOrphan, findHeld } from './orphans.ts';
import type { WebhookContext } from './webhook-context.ts';

const checkedAtOnce = 64;
/** What stands in the record of an agent that is not in webhook mode: most need not be parsed. */
const noSubscriptions = '"subscriptions":[]';

interface WebhookAgent {
  /** Its feed record, as it is stored. */
  record: StreamMessage;
  /** As the record has it, once somebody asked for it: of the record with that sequence. */
  position?: { readonly of: number; readonly value: Position | null };
  /** While something is on its way. */
  active: AgentWebhooks | undefined;
}

/** The webhooks of the agents of one partition, under one lease. */
export class PartitionWebhooks {
  readonly partition: Partition;
  readonly #context: WebhookContext;
  readonly #lease: Lease;
  readonly #news: InboxNews;
  readonly #agents = new Map<AgentId, WebhookAgent>();
  readonly #pushes: PushDeliveries | undefined;
  readonly #followed: FollowedStream[] = [];
  /** Of events that were stored and perhaps not heard of: the last sequence for each agent. */
  #told = new Map<AgentId, number>();
  #dropped = Promise.resolve();
  #isReady = false;
  #isClosed = false;

  constructor(context: WebhookContext, lease: Lease, news: InboxNews) {
    this.partition = Number(lease.name);
    this.#context = context;
    this.#lease = lease;
    this.#news = news;
    this.#pushes = context.push && new PushDeliveries(context, context.push, lease);
  }

  get pending(): readonly Pending[] {
    const ofAgents = [...this.#agents.values()].flatMap(({ active }) => active?.pending ?? []);
    return [...ofAgents, ...(this.#pushes?.pending ?? [])];
  }

  /** Reads who is in webhook mode and what is not delivered, then begins. */
  async takeOver(): Promise<void> {
    const { bus } = this.#context;
    await this.#follow({
      stream: bus.feedRecords,
      filter: subjects.feedRecordsOf(this.partition),
      headersOnly: false,
      onMessage: (message) => this.#takeRecord(message),
    });
    await this.#follow({
      stream: bus.deliveries.stream,
      filter: subjects.deliveriesOf(this.partition),
      headersOnly: true,
      onMessage: (message) => this.#takeDelivery(message),
    });
    if (this.#isClosed) return;
    this.#isReady = true;
    for (const { active } of this.#agents.values()) active?.start();
    this.#pushes?.start();
    await this.#followNews();
    // What was stored after their first look and before the news began, nobody tells of.
    this.lookAgain();
    await this.#checkAll();
    const agents = this.#agents.size;
    this.#context.logger.info({ partition: this.partition, agents }, 'webhooks.taken_over');
  }

  /** A message was stored for an agent. */
  hearStored({ subject, sequence }: StreamMessage): void {
    const agentId = agentIdOfSubject(subject);
    const agent = agentId && this.#agents.get(agentId);
    if (!agentId || !agent || !this.#isReady) return;
    if (agent.active) this.#told.set(agentId, sequence);
    else this.#activate(agentId, agent);
  }

  /** Looks for what was stored and not heard of, and lets go of agents that have nothing more to do. */
  tidy(isIdleToBeClosed: boolean): void {
    const told = this.#told;
    this.#told = new Map();
    for (const [agentId, sequence] of told) this.#agents.get(agentId)?.active?.lookFor(sequence);
    if (!isIdleToBeClosed) return;
    this.#pushes?.tidy();
    for (const agent of this.#agents.values()) {
      if (!agent.active?.isIdle) continue;
      agent.active.close();
      agent.active = undefined;
    }
  }

  /** What was stored meanwhile was not heard of. */
  lookAgain(): void {
    for (const { active } of this.#agents.values()) active?.lookFor(Number.POSITIVE_INFINITY);
  }

  /** Begins anew: the store has gone back to what it held before. */
  begunAnew(): PartitionWebhooks {
    this.#stop();
    for (const { active } of this.#agents.values()) active?.close();
    this.#pushes?.stop();
    return new PartitionWebhooks(this.#context, this.#lease, this.#news);
  }

  /** Sends nothing more; saves how far it is. */
  async close(): Promise<void> {
    this.#stop();
    const active = [...this.#agents.values()].flatMap((agent) => agent.active ?? []);
    await Promise.all([...active.map((agent) => agent.finish()), this.#pushes?.finish()]);
    this.#agents.clear();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#news.leave(this.partition);
    for (const followed of this.#followed) followed.close();
  }

  async #follow(
    options: Pick<
      ConstructorParameters<typeof FollowedStream>[0],
      'stream' | 'filter' | 'headersOnly' | 'onMessage'
    >,
  ): Promise<void> {
    if (this.#isClosed) return;
    const { bus, pause, logger } = this.#context;
    const { partition } = this;
    const onError = ({ subject, sequence }: StreamMessage, error: unknown) =>
      logger.error({ partition, subject, sequence, err: error }, 'webhooks.unreadable');
    const followed = new FollowedStream({ bus, pause, onError, ...options });
    this.#followed.push(followed);
    await followed.loaded;
  }

  #takeRecord(message: StreamMessage): void {
    const agentId = agentIdOfSubject(message.subject);
    if (!agentId) return;
    const agent = this.#agents.get(agentId);
    if (agent) void this.#dropHeld(agentId, agent.record, message);
    if (!isWebhookMode(message)) {
      this.#agents.delete(agentId);
      agent?.active?.hear(message);
      agent?.active?.close();
    } else if (agent) {
      agent.record = withOwnBody(message);
      agent.active?.hear(message);
    } else this.#add(agentId, withOwnBody(message));
  }

  #add(agentId: AgentId, record: StreamMessage): void {
    const agent: WebhookAgent = { record, active: undefined };
    // What cannot be read is refused here, where it costs nobody else anything.
    positionOf(agent);
    this.#agents.set(agentId, agent);
    if (this.#isReady) void this.#begin(agentId, agent);
  }

  /** It is new in webhook mode. */
  async #begin(agentId: AgentId, agent: WebhookAgent): Promise<void> {
    await this.#followNews();
    const isThere = this.#agents.get(agentId) === agent;
    if (isThere && !this.#isClosed) this.#activate(agentId, agent);
  }

  #takeDelivery(message: StreamMessage): void {
    const { status, push } = readDelivery(message);
    if (push) return this.#pushes?.take(message);
    const key = readDeliveryKey(message);
    const agent = this.#agents.get(key.agentId);
    if (agent) this.#takeDeliveryOf(agent, message, { status, ...key });
    else if (status !== 'dead_letter') this.#dropOrphan(message, true);
  }

  #takeDeliveryOf(
    agent: WebhookAgent,
    message: StreamMessage,
    { agentId, subscriptionId, sequence, index, status }: DeliveryKey & { status: DeliveryStatus },
  ): void {
    if (status === 'pending') {
      this.#adopt(agentId, agent, message);
      if (this.#isReady) agent.active?.start();
    } else if (status === 'held' && !bufferOf(agent.record.data).includes(subscriptionId)) {
      this.#dropOrphan(message, false);
    } else if (!this.#isReady && isAfter({ sequence, index }, positionOf(agent))) {
      // Its feed must not begin again with what was held or given up.
      this.#adopt(agentId, agent, message);
    }
  }

  #adopt(agentId: AgentId, agent: WebhookAgent, message: StreamMessage): void {
    const active = this.#open(agentId, agent);
    if (active.has(readDeliveryKey(message).subscriptionId)) active.adopt(message);
    else this.#dropOrphan(message, false);
  }

  /** Of subscriptions that one feed record has and the next one has not. */
  async #dropHeld(agentId: AgentId, before: StreamMessage, after: StreamMessage): Promise<void> {
    try {
      const [deleted, isOwed] = [deletedBetween(before, after), !isWebhookMode(after)];
      if (deleted.size === 0) return;
      const held = await findHeld(this.#context, this.#lease, { agentId, deleted });
      for (const message of held) this.#dropOrphan(message, isOwed);
    } catch (error) {
      // Whoever takes over finds it.
      this.#context.logger.error({ agentId, err: error }, 'webhook.held_not_dropped');
    }
  }

  /** One after the other: there may be very many, and each is read with its body. */
  #dropOrphan(message: StreamMessage, isOwed: boolean): void {
    this.#dropped = this.#dropped
      .then(() => dropOrphan(this.#context, this.#lease, { message, isOwed }))
      .catch((err: unknown) =>
        this.#context.logger.error({ partition: this.partition, err }, 'webhook.orphan_failed'),
      );
  }

  #activate(agentId: AgentId, agent: WebhookAgent): void {
    this.#open(agentId, agent).start();
  }

  #open(agentId: AgentId, agent: WebhookAgent): AgentWebhooks {
    agent.active ??= new AgentWebhooks(this.#context, agentId, this.#lease, agent.record);
    return agent.active;
  }

  /** Without an agent in webhook mode there is nothing to follow. */
  async #followNews(): Promise<void> {
    while (!this.#isClosed && this.#agents.size > 0) {
      try {
        return await this.#news.follow(this.partition);
      } catch {
        await this.#context.pause.wait();
      }
    }
  }

  /** Wakes the agents for which something is stored that was not sent. */
  async #checkAll(): Promise<void> {
    const agents = [...this.#agents].filter(([, { active }]) => !active);
    for (let at = 0; at < agents.length && !this.#isClosed; at += checkedAtOnce) {
      const some = agents.slice(at, at + checkedAtOnce);
      await Promise.all(some.map(([agentId, agent]) => this.#check(agentId, agent)));
    }
  }

  async #check(agentId: AgentId, agent: WebhookAgent): Promise<void> {
    const isUpToDate = await this.#isUpToDate(agentId, agent).catch(() => false);
    const isThere = this.#agents.get(agentId) === agent;
    if (!isUpToDate && isThere && !this.#isClosed) this.#activate(agentId, agent);
  }

  async #isUpToDate(agentId: AgentId, agent: WebhookAgent): Promise<boolean> {
    const position = positionOf(agent);
    const last = await this.#context.bus.inbox.readLast(agentId);
    if (!last) return true;
    return position?.sequence === last.sequence && !isInsideMessage(position);
  }
}

/** Behind the last event that is done with; where something older is owed it is before that. */
function positionOf(agent: WebhookAgent): Position | null {
  const { sequence: of, data } = agent.record;
  if (agent.position?.of !== of) {
    const json: unknown = JSON.parse(bufferOf(data).toString());
    const { owed, position } = feedRecordSchema.parse(json);
    agent.position = { of, value: owed.length === 0 ? position : null };
  }
  return agent.position.value;
}

function isWebhookMode({ data }: StreamMessage): boolean {
  return data.length > 0 && !bufferOf(data).includes(noSubscriptions);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
