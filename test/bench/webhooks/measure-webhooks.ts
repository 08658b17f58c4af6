import { quantile, type Spread, spreadOf } from '../compare/statistics.ts';
import type { Options } from '../options.ts';
import { tell } from '../report/tell.ts';
import type { WebhookSite } from './webhook-site.ts';

/** Each gets 8 requests at once. */
const endpoints = 20;
const requestsAtOnce = 8 * endpoints;
const callConnections = 64;
const perSecond = 500;
const openLoopConnections = 128;
/** So many times what is sent live: fewer are gone before it is seen how fast they go. */
const backlog = 4;

export interface WebhooksResult {
  readonly tasks: number;
  /** Deliveries a second, from the first status call to the last webhook. */
  readonly live: Spread | undefined;
  /** The same where each event goes to four endpoints. */
  readonly liveToFour: Spread | undefined;
  readonly drain: Spread | undefined;
  /** Signed POSTs a second to the same receiver, without Relay. */
  readonly bare: Spread | undefined;
  readonly drainShare: Spread | undefined;
  /** Milliseconds from a status call to its webhook, at 500 a second. */
  readonly p50: Spread | undefined;
  readonly p99: Spread | undefined;
  /** The same of 80 % of the endpoints while the others never answer. */
  readonly p99BesideHoles: Spread | undefined;
  readonly p99Ratio: Spread | undefined;
}

interface Slice {
  readonly bare: number;
  readonly drain: number;
  readonly one: number;
  readonly four: number;
  readonly alone: readonly number[];
  readonly beside: readonly number[];
}

/** @param tasks of each slice */
export async function measureWebhooks(
  site: WebhookSite,
  { rounds, warmup }: Pick<Options, 'rounds' | 'warmup'>,
  tasks: number,
): Promise<WebhooksResult> {
  const healthy = await subscribed(site, endpoints, 1);
  const fourfold = await subscribed(site, endpoints, 4);
  const holes = await site.registerRequesters(endpoints / 5);
  for (const requester of holes) await site.subscribe(requester, false);
  const some = healthy.slice(0, endpoints - holes.length);
  // What code does before it is compiled says nothing.
  const isWarmAt = performance.now() + warmup * 1_000;
  while (performance.now() < isWarmAt) await live(site, healthy, tasks, 1);
  const slices: Slice[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await site.bare(requestsAtOnce, backlog * tasks);
    const drain = await drained(site, backlog * tasks);
    const one = await live(site, healthy, tasks, 1);
    const four = await live(site, fourfold, Math.round(tasks / 2), 4);
    const alone = await latencies(site, healthy, tasks, healthy.length);
    const beside = await latencies(site, [...some, ...holes], tasks, some.length);
    slices.push({ bare, drain, one, four, alone, beside });
    tell(`live ${Math.round(one)}/s, drain ${Math.round(drain)}/s, bare ${Math.round(bare)}/s`);
  }
  const spread = (of: (slice: Slice) => number) => spreadOf(slices.map(of));
  return {
    tasks,
    live: spread(({ one }) => one),
    liveToFour: spread(({ four }) => four),
    drain: spread(({ drain }) => drain),
    bare: spread(({ bare }) => bare),
    drainShare: spread(({ drain, bare }) => drain / bare),
    p50: spread(({ alone }) => quantile(alone, 0.5)),
    p99: spread(({ alone }) => quantile(alone, 0.99)),
    p99BesideHoles: spread(({ beside }) => quantile(beside, 0.99)),
    p99Ratio: spread(({ alone, beside }) => quantile(beside, 0.99) / quantile(alone, 0.99)),
  };
}

async function subscribed(site: WebhookSite, count: number, endpointsOfEach: number) {
  const requesters = await site.registerRequesters(count);
  for (const requester of requesters) {
    for (let n = 0; n < endpointsOfEach; n += 1) await site.subscribe(requester);
  }
  return requesters;
}

type Requesters = Awaited<ReturnType<WebhookSite['registerRequesters']>>;

async function live(site: WebhookSite, requesters: Requesters, tasks: number, copies: number) {
  await site.open(requesters, tasks);
  const [calls, taken] = await Promise.all([
    site.complete({ connections: callConnections }),
    site.take(tasks * copies),
  ]);
  const first = Math.min(...calls.map(({ at }) => at));
  return (taken.length * 1_000) / (Math.max(...taken.map(({ at }) => at)) - first);
}

/** Events from before their agents had webhooks. */
async function drained(site: WebhookSite, tasks: number): Promise<number> {
  const requesters = await site.registerRequesters(endpoints);
  await site.open(requesters, tasks);
  await site.complete({ connections: callConnections });
  for (const requester of requesters) await site.subscribe(requester);
  const moments = (await site.take(tasks)).map(({ at }) => at);
  return (moments.length * 1_000) / (Math.max(...moments) - Math.min(...moments));
}

/**
 * Milliseconds from each call to its webhook.
 * @param answering how many of the requesters, the first ones, have an endpoint that answers
 */
async function latencies(
  site: WebhookSite,
  requesters: Requesters,
  tasks: number,
  answering: number,
): Promise<number[]> {
  await site.open(requesters, tasks);
  const numbers = Array.from({ length: tasks }, (_, number) => number % requesters.length);
  const expected = numbers.filter((requester) => requester < answering).length;
  const [calls, taken] = await Promise.all([
    site.complete({ connections: openLoopConnections, perSecond }),
    site.take(expected),
  ]);
  const askedAt = new Map(calls.map(({ taskId, at }) => [taskId, at]));
  return taken.flatMap(({ taskId, at }) => {
    const asked = askedAt.get(taskId);
    return asked === undefined ? [] : [at - asked];
  });
}
