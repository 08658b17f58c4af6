import { setTimeout as sleep } from 'node:timers/promises';
import { connectBus } from '@relay/bus';
import type { AgentClient } from '../../support/ledger/agent-client.ts';
import { freePort } from '../../support/relay.ts';
import { AppendSite } from '../appends/append-site.ts';
import type { RelaySettings, RelayVariant } from '../contenders/relays.ts';
import { now } from '../load/orders.ts';
import { collectedMemory, type Memory } from '../measure/collected-memory.ts';
import { CpuMeter } from '../measure/cpu-meter.ts';
import { residentBytes } from '../measure/processes.ts';
import { tell } from '../report/tell.ts';
import type { Moment } from '../webhooks/orders.ts';
import { fillSite } from './fill-site.ts';

export interface Size {
  readonly agents: number;
  readonly events: number;
}

export interface Start {
  /** From the start of the process. */
  readonly readyMilliseconds: number;
  /** Until each webhook, in all partitions, has what was appended before the start. */
  readonly deliveredMilliseconds: number;
}

/** Milliseconds from the append of each change to its event. */
export interface Latencies {
  readonly socket: readonly number[];
  readonly webhook: readonly number[];
}

/** What it costs to do nothing. */
export interface Idle extends Memory {
  readonly cpuMillisecondsPerSecond: number;
  /** Bytes. */
  readonly natsResident: number;
}

const receiversOfEachKind = 20;
const perSecond = 200;
const appendsAtOnce = 64;
const restMilliseconds = 5_000;
const indexPollMilliseconds = 200;

/** A relay of some size, of whose agents a few are measured. */
export class GrowingSite {
  readonly start: Start;
  readonly #site: AppendSite;
  readonly #inspectorPort: number;
  readonly #socketIds: readonly string[];
  readonly #webhookIds: readonly string[];

  private constructor(
    site: AppendSite,
    started: { start: Start; inspectorPort: number },
    { sockets, webhooks }: Agents,
  ) {
    this.#site = site;
    this.start = started.start;
    this.#inspectorPort = started.inspectorPort;
    this.#socketIds = sockets.map(({ id }) => id);
    this.#webhookIds = webhooks.map(({ id }) => id);
  }

  /** Fills a relay's store while it does not run, and starts it. */
  static async open(variant: RelayVariant, settings: RelaySettings, size: Size) {
    const inspectorPort = await freePort();
    const inspect = `--inspect=127.0.0.1:${inspectorPort}`;
    const nodeArguments = [...settings.nodeArguments, inspect];
    const site = await AppendSite.start(variant, { ...settings, nodeArguments });
    try {
      const agents = await fill(site, size);
      const start = await measureStart(site, agents);
      await site.connect(agents.sockets);
      return new GrowingSite(site, { start, inspectorPort }, agents);
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  /** Appends for some seconds to the inboxes of either kind. */
  async measureLatencies(seconds: number): Promise<Latencies> {
    const socket = await this.#measureWay('sockets', this.#socketIds, seconds / 2);
    const webhook = await this.#measureWay('webhooks', this.#webhookIds, seconds / 2);
    return { socket, webhook };
  }

  async measureIdle(): Promise<Idle> {
    const [relay] = this.#site.relay.processes;
    const nats = this.#site.helpers.find(({ name }) => name === 'nats-server');
    if (!relay || !nats) throw new Error('Relay has no process');
    await sleep(restMilliseconds);
    const meter = new CpuMeter([relay]);
    await sleep(restMilliseconds);
    const { processes } = meter.read();
    const cpuMillisecondsPerSecond = (processes[relay.name] ?? 0) / restMilliseconds;
    const memory = await collectedMemory(this.#inspectorPort);
    return { ...memory, cpuMillisecondsPerSecond, natsResident: residentBytes(nats) };
  }

  stop(): Promise<void> {
    return this.#site.stop();
  }

  async #measureWay(way: 'sockets' | 'webhooks', calleeIds: readonly string[], seconds: number) {
    const tasks = Math.round(perSecond * seconds);
    const [asked, seen] = await Promise.all([
      this.#site.append({ calleeIds, tasks, perSecond, atOnce: appendsAtOnce, requesterId: idle }),
      this.#site.take(way, tasks),
    ]);
    return delays(asked, seen);
  }
}

/** Nobody hears of what is asked here in its name. */
const idle = '00000000-0000-4000-8000-000000000000';

interface Agents {
  readonly sockets: readonly AgentClient[];
  readonly webhooks: readonly AgentClient[];
}

async function fill(site: AppendSite, size: Size): Promise<Agents> {
  const relay = await site.startRelay();
  const sockets = await site.register(receiversOfEachKind);
  const webhooks = await site.register(receiversOfEachKind);
  for (const agent of webhooks) await site.subscribe(agent);
  await relay.stop();
  const bus = await connectBus({ servers: site.natsUrl, name: 'bench fill', replicas: 1 });
  const since = performance.now();
  const idsOf = (agents: readonly AgentClient[]) => agents.map(({ id }) => id);
  await fillSite(bus, { socketIds: idsOf(sockets), webhookIds: idsOf(webhooks), ...size });
  await bus.close();
  const seconds = Math.round((performance.now() - since) / 1_000);
  tell(`${size.agents} agents and ${size.events} events are written after ${seconds} s`);
  await index(site);
  return { sockets, webhooks };
}

/** Lets the directory learn of all agents, as it would have while they came. */
async function index(site: AppendSite): Promise<void> {
  const relay = await site.startRelay();
  for (let isIndexed = false; !isIndexed; ) {
    const response = await fetch(`${relay.origin}/v1/directory?q=idle`);
    await response.body?.cancel();
    isIndexed = response.status === 200;
    if (!isIndexed) await sleep(indexPollMilliseconds);
  }
  await relay.stop();
}

async function measureStart(site: AppendSite, { webhooks }: Agents): Promise<Start> {
  const calleeIds = webhooks.map(({ id }) => id);
  const tasks = calleeIds.length;
  await site.append({ calleeIds, tasks, atOnce: appendsAtOnce, requesterId: idle });
  const startedAt = now();
  const delivered = site.take('webhooks', tasks);
  await site.startRelay();
  const readyMilliseconds = now() - startedAt;
  const moments = await delivered;
  const deliveredMilliseconds = Math.max(...moments.map(({ at }) => at)) - startedAt;
  return { readyMilliseconds, deliveredMilliseconds };
}

function delays(asked: readonly Moment[], seen: readonly Moment[]): number[] {
  const askedAt = new Map(asked.map(({ taskId, at }) => [taskId, at]));
  return seen.flatMap(({ taskId, at }) => {
    const since = askedAt.get(taskId);
    return since === undefined ? [] : [at - since];
  });
}
