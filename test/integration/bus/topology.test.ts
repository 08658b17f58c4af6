import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { connectBus } from '@relay/bus';
import { expect, it, onTestFinished } from 'vitest';
import { natsForTest } from '../../support/test-bus.ts';

it('two processes that start at once agree on streams and buckets', async () => {
  const nats = await natsForTest();
  const open = () => connectBus({ servers: nats.url, name: 'test', replicas: 1 });
  const buses = await Promise.all([open(), open(), open()]);
  expect(new Set(buses.map(({ tasksCreated }) => tasksCreated)).size).toBe(1);
  await Promise.all(buses.map((bus) => bus.close()));
});

it('a stream that is configured otherwise is named, and so is the setting', async () => {
  const nats = await natsForTest();
  const connection = await connect({ servers: nats.url });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'TASKS', subjects: ['task.*.*'], allow_direct: true });
  await expect(connectBus({ servers: nats.url, name: 'test', replicas: 1 })).rejects.toThrow(
    /stream TASKS .*: .*republish/,
  );
});

it('replicas are refused where the server cannot be trusted with them', async () => {
  const nats = await natsForTest();
  await expect(connectBus({ servers: nats.url, name: 'test', replicas: 3 })).rejects.toThrow(
    /2\.11/,
  );
});
