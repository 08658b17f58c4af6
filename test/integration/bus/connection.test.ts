import { connectBus } from '@relay/bus';
import { expect, it } from 'vitest';
import { natsForTest } from '../../support/test-bus.ts';

it('a bus is closed also while NATS stands still', async () => {
  const nats = await natsForTest();
  const bus = await connectBus({ servers: nats.url, name: 'test', replicas: 1 });
  nats.pause();
  await bus.close();
  nats.resume();
  expect(bus.isConnected()).toBe(false);
});
