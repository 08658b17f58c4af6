import {
  type Bus,
  type Lease,
  type LeaseHandlers,
  type LeaseHolder,
  leaseSchema,
} from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const names = ['0', '1', '2', '3', '4', '5', '6', '7'];

interface Replica {
  readonly holder: LeaseHolder;
  readonly leases: Map<string, Lease>;
  readonly owned: () => string[];
}

function holderOf(bus: Bus, replicaId: string, handlers: LeaseHandlers): LeaseHolder {
  return bus.holdLeases({ group: 'test', replicaId, names, handlers });
}

async function startReplica(bus: Bus, replicaId: string): Promise<Replica> {
  const leases = new Map<string, Lease>();
  const holder = holderOf(bus, replicaId, {
    acquired: (lease) => leases.set(lease.name, lease),
    lost: async (name) => {
      leases.delete(name);
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
  await expect.poll(() => two.owned().length).toBe(4);
  expect([...one.owned(), ...two.owned()].toSorted()).toEqual(names);
  await one.holder.stop();
  expect(one.owned()).toEqual([]);
  await expect.poll(() => two.owned().toSorted(), { timeout: 2_500 }).toEqual(names);
});

/** Resolves when a lease was renewed, so that the next renewal is on its way before this one lapses. */
async function renewal(bus: Bus): Promise<void> {
  let isRenewed = false;
  const stop = await bus.bucket('leases', 'lease.', leaseSchema).watch(
    '>',
    () => {
      isRenewed = true;
    },
    () => undefined,
  );
  await expect.poll(() => isRenewed, { interval: 5 }).toBe(true);
  stop();
}

it('an owner that cannot renew stops by its own clock before another may begin, and for good', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const one = await startReplica(bus, 'one');
  const kept = [...one.leases.values()];
  await renewal(bus);
  nats.pause();
  await expect
    .poll(() => kept.some((lease) => lease.isHeld()), { timeout: 9_000, interval: 50 })
    .toBe(false);
  nats.resume();
  await expect.poll(() => one.owned().toSorted(), { timeout: 20_000 }).toEqual(names);
  expect(kept.filter((lease) => lease.isHeld())).toEqual([]);
});

it('work begins when a replica has all leases that it can have, so that reading holds up none of them', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const heldAtBegin: number[] = [];
  const holder = holderOf(bus, 'one', {
    acquired: () => heldAtBegin.push(holder.heldCount),
    lost: async () => undefined,
  });
  await holder.start();
  onTestFinished(() => holder.stop());
  expect(heldAtBegin).toEqual(names.map(() => names.length));
});

it('a lease is held until its work is over and given back then, also where that fails', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const leases: Lease[] = [];
  const heldAtEnd: boolean[] = [];
  const holder = holderOf(bus, 'one', {
    acquired: (lease) => leases.push(lease),
    lost: async (name) => {
      await bus.bucket('leases', '', leaseSchema).get(`lease.test.${name}`);
      heldAtEnd.push(leases.some((lease) => lease.name === name && lease.isHeld()));
      throw new Error('what was left could not be written');
    },
  });
  await holder.start();
  await expect(holder.stop()).rejects.toThrow('what was left');
  await expect.poll(() => heldAtEnd).toEqual(names.map(() => true));
  expect(leases.filter((lease) => lease.isHeld())).toEqual([]);
  const next = await startReplica(bus, 'one');
  expect(next.owned().toSorted()).toEqual(names);
});

it('a lease whose work is slow to end costs a replica none of those that it keeps', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const leases: Lease[] = [];
  const ended: string[] = [];
  let end = () => undefined as void;
  const isEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holder = holderOf(bus, 'one', {
    acquired: (lease) => leases.push(lease),
    lost: async (name) => {
      ended.push(name);
      await isEnded;
    },
  });
  await holder.start();
  onTestFinished(() => {
    end();
    return holder.stop();
  });
  const two = await startReplica(await busForTest(nats), 'two');
  await expect.poll(() => ended.length).toBe(4);
  const [slow, kept] = [leases.slice(4), leases.slice(0, 4)];
  await expect
    .poll(() => slow.filter((lease) => lease.isHeld()), { timeout: 9_000, interval: 10 })
    .toEqual([]);
  expect(kept.filter((lease) => lease.isHeld())).toEqual(kept);
  await expect.poll(() => two.owned().length, { timeout: 9_000 }).toBe(4);
  expect(ended).toHaveLength(4);
});
