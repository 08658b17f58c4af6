import type { Bus, Lease, LeaseHolder } from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const names = ['0', '1', '2', '3', '4', '5', '6', '7'];

interface Replica {
  readonly holder: LeaseHolder;
  readonly leases: Map<string, Lease>;
  readonly owned: () => string[];
}

async function startReplica(bus: Bus, replicaId: string): Promise<Replica> {
  const leases = new Map<string, Lease>();
  const holder = bus.holdLeases({
    group: 'test',
    replicaId,
    names,
    handlers: {
      acquired: (lease) => leases.set(lease.name, lease),
      lost: async (name) => {
        leases.delete(name);
      },
    },
  });
  await holder.start();
  onTestFinished(() => holder.stop());
  const owned = () =>
    [...leases.values()].filter((lease) => lease.isHeld()).map(({ name }) => name);
  return { holder, leases, owned };
}

it('leases are shared between replicas, each with one owner, and go over at once when one stops', async () => {
  const nats = await natsForTest();
  const one = await startReplica(await busForTest(nats), 'one');
  expect(one.owned()).toEqual(names);
  const two = await startReplica(await busForTest(nats), 'two');
  await expect.poll(() => two.owned().length, { timeout: 10_000 }).toBe(4);
  expect([...one.owned(), ...two.owned()].toSorted()).toEqual(names);
  await one.holder.stop();
  expect(one.owned()).toEqual([]);
  await expect.poll(() => two.owned().toSorted(), { timeout: 2_500 }).toEqual(names);
});

it('an owner that cannot renew stops by its own clock before another may begin', async () => {
  const nats = await natsForTest();
  const one = await startReplica(await busForTest(nats), 'one');
  const kept = [...one.leases.values()];
  nats.pause();
  await expect
    .poll(() => kept.some((lease) => lease.isHeld()), { timeout: 9_000, interval: 50 })
    .toBe(false);
  nats.resume();
  await expect.poll(() => one.owned().toSorted(), { timeout: 20_000 }).toEqual(names);
});
