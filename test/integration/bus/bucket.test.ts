import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { leaseSchema } from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

it('keys are listed by their beginning, and nothing of it stays on the server', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const bucket = bus.bucket('leases', 'test.', leaseSchema);
  expect(await bucket.keys()).toEqual([]);
  for (const key of ['a.1', 'a.2', 'b.1']) await bucket.create(key, { replicaId: key });
  for (let n = 0; n < 5; n += 1) {
    expect((await bucket.keys()).toSorted()).toEqual(['a.1', 'a.2', 'b.1']);
    expect((await bucket.keys('a.')).toSorted()).toEqual(['a.1', 'a.2']);
  }
  const connection = await connect({ servers: nats.url });
  onTestFinished(() => connection.close());
  const { state } = await (await jetstreamManager(connection)).streams.info('KV_leases');
  expect(state.consumer_count).toBe(0);
});

it('of several writers of a key one writes, also where it was deleted', async () => {
  const bus = await busForTest(await natsForTest());
  const bucket = bus.bucket('leases', 'test.', leaseSchema);
  const createdBy = async (replicaIds: readonly string[]) => {
    const revisions = await Promise.all(
      replicaIds.map((replicaId) => bucket.create('key', { replicaId })),
    );
    const winner = revisions.findIndex((revision) => revision !== undefined);
    expect(revisions.filter((revision) => revision !== undefined)).toHaveLength(1);
    const entry = await bucket.get('key');
    const value = { replicaId: replicaIds[winner] };
    expect(entry).toEqual({ value, revision: revisions[winner] });
    return entry?.revision ?? 0;
  };
  const first = await createdBy(['a', 'b', 'c']);
  expect(await bucket.update('key', { replicaId: 'd' }, first + 100)).toBeUndefined();
  expect(await bucket.deleteAt('key', first + 100)).toBe(false);
  expect(await bucket.deleteAt('key', first)).toBe(true);
  expect(await bucket.get('key')).toBeUndefined();
  expect(await bucket.deleteAt('key', first)).toBe(false);
  await createdBy(['e', 'f', 'g']);
  await bucket.delete('key');
  const last = await createdBy(['h', 'i', 'j']);
  expect(await bucket.update('key', { replicaId: 'k' }, last)).toBeGreaterThan(last);
});
