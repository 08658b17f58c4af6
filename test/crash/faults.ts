import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cluster } from '../support/cluster.ts';
import type { Victim } from '../support/service-process.ts';

const run = promisify(execFile);

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
  inflict: async ({ redis }) => {
    await run('redis-cli', ['-s', redis.url, 'flushall']);
  },
};

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is none');
  return item;
}
