import {
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type KV, Kvm, type KvOptions } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { requireMade, whileBeingMade } from './being-made.ts';
import { streams, subjects } from './subjects.ts';
import {
  differences,
  type EarlierSetting,
  earlierSettings,
  mayChange,
} from './topology-changes.ts';

const dayMilliseconds = 86_400_000;
/** The contract's replay window; what is not delivered is kept as long, from its last write on. */
const eventDays = 30;
/** A larger change would not fit into one NATS message; checked against the server at start. */
export const minimumMaxPayload = 8 * 1024 * 1024;

/** What the server says to the second of two that make the same: "name already in use", "subjects overlap". */
const refusalsOfSecond: ReadonlySet<number> = new Set([10058, 10065]);

type StreamPlan = Pick<StreamConfig, 'name' | 'subjects'> & Partial<StreamConfig>;

function streamPlans(replicas: number): readonly StreamPlan[] {
  const common = {
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    // A limit set by somebody else would lose what was acknowledged.
    max_age: 0,
    max_msgs_per_subject: -1,
    num_replicas: replicas,
    // A follower answers direct gets with old data after an acknowledged write.
    allow_direct: replicas === 1,
  } as const;
  return [
    {
      ...common,
      name: streams.tasks,
      subjects: [subjects.allTasks],
      republish: { src: 'task.*.*', dest: 'live.task.{{wildcard(1)}}.{{wildcard(2)}}' },
    },
    { ...common, name: streams.chats, subjects: [subjects.allChats] },
    {
      ...common,
      name: streams.inbox,
      subjects: [subjects.allInboxes],
      max_age: nanos(eventDays * dayMilliseconds),
      republish: { src: 'inbox.*.*', dest: 'live.inbox.{{wildcard(1)}}.{{wildcard(2)}}' },
    },
    {
      ...common,
      name: streams.deliveries,
      subjects: [subjects.allDeliveries, subjects.allStuck],
      max_age: nanos(eventDays * dayMilliseconds),
      max_msgs_per_subject: 1,
    },
  ];
}

const bucketNames = ['registry', 'feeds', 'checkpoints', 'leases', 'idempotency'] as const;
export type BucketName = (typeof bucketNames)[number];

/** A lease that nobody renews is gone after this, by the server's clock. */
export const leaseTimeToLive = 10_000;
/** How long a key that a message was sent with is known. */
const idempotencyDays = 30;

const timesToLive: Partial<Record<BucketName, number>> = {
  leases: leaseTimeToLive,
  idempotency: idempotencyDays * dayMilliseconds,
};

function bucketOptions(name: BucketName, replicas: number): Partial<KvOptions> {
  return {
    history: 1,
    replicas,
    storage: 'file',
    allow_direct: replicas === 1,
    ...(timesToLive[name] ? { ttl: timesToLive[name] } : {}),
    ...(name === 'feeds'
      ? {
          republish: {
            src: '$KV.feeds.*.*',
            dest: 'live.feed.{{wildcard(1)}}.{{wildcard(2)}}',
          },
        }
      : {}),
  };
}

export interface Topology {
  readonly buckets: Readonly<Record<BucketName, KV>>;
  /** When each stream was made: tells a stream from another one that took its name. */
  readonly streamCreation: ReadonlyMap<string, string>;
}

/**
 * Creates the streams and buckets that are missing, and changes in place what an earlier version or fewer
 * replicas left otherwise; that may be done any number of times and by several at once. It stops at any
 * other difference.
 */
export async function ensureTopology(
  nats: NatsConnection,
  replicas: number,
  earlier: readonly EarlierSetting[] = earlierSettings,
): Promise<Topology> {
  refuseServer(nats, replicas);
  return whileBeingMade(() => makeTopology(nats, replicas, earlier));
}

async function makeTopology(
  nats: NatsConnection,
  replicas: number,
  earlier: readonly EarlierSetting[],
): Promise<Topology> {
  const manager = await jetstreamManager(nats);
  const streamCreation = new Map<string, string>();
  for (const plan of streamPlans(replicas)) {
    const info = await ensureStream(manager, plan, earlier);
    streamCreation.set(plan.name, info.created);
  }
  const kvm = new Kvm(jetstream(nats));
  const open = (name: BucketName) =>
    madeByOne(() => kvm.create(name, bucketOptions(name, replicas)));
  const [registry, feeds, checkpoints, leases, idempotency] = await Promise.all([
    open('registry'),
    open('feeds'),
    open('checkpoints'),
    open('leases'),
    open('idempotency'),
  ]);
  const buckets = { registry, feeds, checkpoints, leases, idempotency };
  for (const name of bucketNames) {
    const expected = expectedBucket(name, replicas);
    const there = requireMade(await manager.streams.info(`KV_${name}`));
    const info = await changeWhere(manager, expected, there, earlier);
    compare(`bucket ${name}`, expected, info.config);
    streamCreation.set(`KV_${name}`, info.created);
  }
  return { buckets, streamCreation };
}

/** What on the server is not as Relay needs it, and what is not there yet. */
export interface TopologyReport {
  readonly problems: readonly string[];
  readonly missing: readonly string[];
}

/** Compares what is there without making anything. */
export async function inspectTopology(
  nats: NatsConnection,
  manager: JetStreamManager,
  replicas: number,
): Promise<TopologyReport> {
  const problems: string[] = [];
  const missing: string[] = [];
  const note = (check: () => void) => {
    try {
      check();
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  };
  note(() => refuseServer(nats, replicas));
  if (problems.length > 0) return { problems, missing };
  const there = new Map<string, StreamConfig>();
  for await (const { config } of manager.streams.list()) there.set(config.name, config);
  const expected: [string, string, Partial<StreamConfig>][] = [
    ...streamPlans(replicas).map((plan): [string, string, StreamPlan] => [
      plan.name,
      `stream ${plan.name}`,
      plan,
    ]),
    ...bucketNames.map((name): [string, string, Partial<StreamConfig>] => [
      `KV_${name}`,
      `bucket ${name}`,
      expectedBucket(name, replicas),
    ]),
  ];
  for (const [name, what, asked] of expected) {
    const config = there.get(name);
    if (config) note(() => compare(what, asked, config));
    else missing.push(name);
  }
  return { problems, missing };
}

function refuseServer({ info }: NatsConnection, replicas: number): void {
  if (!info?.jetstream) throw new Error('NATS runs without JetStream; start it with JetStream on.');
  if (info.max_payload < minimumMaxPayload) {
    throw new Error(
      `NATS takes ${info.max_payload} bytes a message; set its max_payload to ${minimumMaxPayload}.`,
    );
  }
  const [major = 0, minor = 0] = info.version.split('.').map(Number);
  if (replicas > 1 && (major < 2 || (major === 2 && minor < 11))) {
    // Older servers can desync on "expected sequence 0".
    throw new Error(`Replicas need nats-server 2.11 or newer; this one is ${info.version}.`);
  }
}

/**
 * Another process may make it in the same moment: then the server refuses, and who asks again finds it there.
 * Where it is refused for another reason it is refused again.
 */
async function madeByOne<Made>(make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || !refusalsOfSecond.has(error.code)) throw error;
    return make();
  }
}

async function ensureStream(
  manager: JetStreamManager,
  plan: StreamPlan,
  earlier: readonly EarlierSetting[],
): Promise<StreamInfo> {
  const names = await manager.streams.names().next();
  if (!names.includes(plan.name)) await madeByOne(() => manager.streams.add(plan));
  const there = requireMade(await manager.streams.info(plan.name));
  const info = await changeWhere(manager, plan, there, earlier);
  compare(`stream ${plan.name}`, plan, info.config);
  return info;
}

async function changeWhere(
  manager: JetStreamManager,
  asked: Partial<StreamConfig>,
  there: StreamInfo,
  earlier: readonly EarlierSetting[],
): Promise<StreamInfo> {
  const { config } = there;
  if (differences(asked, config).length === 0 || !mayChange(asked, config, earlier)) return there;
  return manager.streams.update(config.name, asked);
}

function expectedBucket(name: BucketName, replicas: number): Partial<StreamConfig> {
  const { ttl, republish } = bucketOptions(name, replicas);
  return {
    retention: 'limits',
    storage: 'file',
    max_age: ttl ? nanos(ttl) : 0,
    max_msgs_per_subject: 1,
    num_replicas: replicas,
    allow_direct: replicas === 1,
    ...(republish ? { republish } : {}),
  };
}

function compare(what: string, asked: Partial<StreamConfig>, echoed: StreamConfig): void {
  const different = differences(asked, echoed);
  if (different.length === 0) return;
  const settings = different.join(', ');
  throw new Error(`The ${what} on NATS is not configured as Relay needs it: ${settings}.`);
}
