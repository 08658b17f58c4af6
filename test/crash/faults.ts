import { setTimeout as delay } from 'node:timers/promises';
import { flushRedis } from '../support/flush-redis.ts';
import type { LedgerLoad } from '../support/ledger/load.ts';
import type { ServiceName, Victim } from '../support/service-process.ts';
import type { ChaosCluster } from './chaos-cluster.ts';

export interface FaultKind {
  readonly name: string;
  /** Whether webhooks may be sent at other times because of it. */
  readonly disturbsDelivery: boolean;
}

export interface Fault<Relay = ChaosCluster> extends FaultKind {
  /** Resolves when all runs again. @returns whether it struck at the moment that it names */
  inflict(relay: Relay, load: LedgerLoad): Promise<boolean>;
}

type VictimName = ServiceName | 'nats-server' | 'redis-server';

/** Milliseconds before what was killed is started again. */
const downtime = 500;
const startTries = 20;

function pick({ services, nats, redis }: ChaosCluster, name: VictimName): Victim {
  if (name === 'nats-server') return nats;
  return name === 'redis-server' ? redis : oneOf(services[name]);
}

/** SIGKILL; it is started again after a moment. */
export function killOf(name: VictimName): Fault {
  return {
    name: `SIGKILL ${name}`,
    disturbsDelivery: isOnTheWay(name),
    inflict: (cluster) => killAndRestart([pick(cluster, name)]),
  };
}

/** Nobody is left to take over. */
export function killOfAll(name: ServiceName): Fault {
  return {
    name: `SIGKILL every ${name}`,
    disturbsDelivery: isOnTheWay(name),
    inflict: ({ services }) => killAndRestart(services[name]),
  };
}

/** SIGSTOP for so long: connections stay open, nothing answers, and leases run out. */
export function pauseOf(name: VictimName, seconds: () => number): Fault {
  return {
    name: `SIGSTOP ${name}`,
    disturbsDelivery: isOnTheWay(name),
    inflict: async (cluster) => {
      const victim = pick(cluster, name);
      victim.pause();
      await delay(seconds() * 1_000);
      victim.resume();
      return true;
    },
  };
}

export const redisFlush: Fault = {
  name: 'FLUSHALL',
  disturbsDelivery: false,
  inflict: async ({ redis }) => {
    await flushRedis(redis.url);
    return true;
  },
};

export async function killAndRestart(victims: readonly Victim[]): Promise<true> {
  await Promise.all(victims.map((victim) => victim.kill()));
  await delay(downtime);
  await Promise.all(victims.map(startAgain));
  return true;
}

/** Until it runs, as supervisors do: a service does not start while NATS is away. */
async function startAgain(victim: Victim): Promise<void> {
  for (let triesLeft = startTries; ; triesLeft -= 1) {
    try {
      return await victim.restart();
    } catch (error) {
      if (triesLeft === 1) throw error;
      await delay(downtime);
    }
  }
}

export function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is none');
  return item;
}

function isOnTheWay(name: VictimName): boolean {
  return name === 'delivery' || name === 'nats-server';
}
