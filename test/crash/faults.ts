import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../support/cluster.ts';
import { flushRedis } from '../support/flush-redis.ts';
import type { Victim } from '../support/service-process.ts';

export interface Fault {
  readonly name: string;
  inflict(cluster: Cluster): Promise<void>;
}

type Pick = (cluster: Cluster) => Victim;

const victims: Readonly<Record<string, Pick>> = {
  gateway: ({ services }) => oneOf(services.gateway),
  'task-manager': ({ services }) => oneOf(services['task-manager']),
  delivery: ({ services }) => oneOf(services.delivery),
  'nats-server': ({ nats }) => nats,
  'redis-server': ({ redis }) => redis,
};

/** SIGKILL; it is started again after a moment. */
export const kills: readonly Fault[] = Object.entries(victims).map(([name, pick]) => ({
  name: `SIGKILL ${name}`,
  inflict: async (cluster) => {
    const victim = pick(cluster);
    await victim.kill();
    await delay(500);
    await victim.restart();
  },
}));

/** SIGSTOP for so long: connections stay open, nothing answers, and leases run out. */
export function pauses(seconds: () => number): readonly Fault[] {
  return Object.entries(victims).map(([name, pick]) => ({
    name: `SIGSTOP ${name}`,
    inflict: async (cluster) => {
      const victim = pick(cluster);
      victim.pause();
      await delay(seconds() * 1_000);
      victim.resume();
    },
  }));
}

export const redisFlush: Fault = {
  name: 'FLUSHALL',
  inflict: ({ redis }) => flushRedis(redis.url),
};

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is none');
  return item;
}
