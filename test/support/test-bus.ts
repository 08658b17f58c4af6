import { type Bus, connectBus } from '@relay/bus';
import { onTestFinished } from 'vitest';
import { startNats, type TestServer } from './servers.ts';

/** A NATS server for this test alone. */
export async function natsForTest(): Promise<TestServer> {
  const nats = await startNats();
  onTestFinished(() => nats.stop());
  return nats;
}

/** A bus as one more process would have it; closed before the servers stop. */
export async function busForTest(nats: Pick<TestServer, 'url'>): Promise<Bus> {
  const bus = await connectBus({ servers: nats.url, name: 'test', replicas: 1 });
  onTestFinished(() => bus.close());
  return bus;
}
