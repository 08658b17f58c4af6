import { type Bus, checkpointSchema, leaseSchema, Registry } from '@relay/bus';
import { expect, it } from 'vitest';
import { contendedLink, type RewritingLink } from '../../support/rewriting-link.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

/** Processes that hear of conflicts as three servers tell them. */
async function contenders(): Promise<{ readonly link: RewritingLink; readonly buses: Bus[] }> {
  const link = await contendedLink((await natsForTest()).url);
  const buses: Bus[] = [];
  while (buses.length < 4) buses.push(await busForTest(link));
  return { link, buses };
}

it('of several writers of a key one writes and the others are told so, also where it was deleted', async () => {
  const { link, buses } = await contenders();
  const buckets = buses.map((bus) => bus.bucket('leases', 'test.', leaseSchema));
  const createAll = async () => {
    const revisions = await Promise.all(
      buckets.map((bucket, n) => bucket.create('key', { replicaId: `${n}` })),
    );
    expect(revisions.filter((revision) => revision !== undefined)).toHaveLength(1);
  };
  await createAll();
  await buckets[0]?.delete('key');
  await createAll();
  expect(link.rewritten()).toBeGreaterThan(0);
});

it('each change of a key that several make at once is made', async () => {
  const { link, buses } = await contenders();
  const buckets = buses.map((bus) => bus.bucket('checkpoints', 'test.', checkpointSchema));
  const changeAll = () =>
    Promise.all(
      buckets.map((bucket) =>
        bucket.change('key', (value) => {
          const sequence = (value?.sequence ?? 0) + 1;
          return { sequence, changeId: null, epoch: 0 };
        }),
      ),
    );
  await changeAll();
  await changeAll();
  expect((await buckets[0]?.get('key'))?.value.sequence).toBe(2 * buses.length);
  await buckets[0]?.delete('key');
  await changeAll();
  expect((await buckets[0]?.get('key'))?.value.sequence).toBe(buses.length);
  expect(link.rewritten()).toBeGreaterThan(0);
});

it('processes that start at once have one secret for task ids', async () => {
  const { link, buses } = await contenders();
  const secrets = await Promise.all(buses.map((bus) => new Registry(bus).taskIdSecret()));
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
  expect(link.rewritten()).toBeGreaterThan(0);
});
