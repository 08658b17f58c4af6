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
