import { type JetStreamManager, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { connectBus } from '@relay/bus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNats, type TestServer } from '../../support/servers.ts';
import { natsForTest } from '../../support/test-bus.ts';

it('two processes that start at once agree on streams and buckets', async () => {
  const nats = await natsForTest();
  const open = () => connectBus({ servers: nats.url, name: 'test', replicas: 1 });
  const buses = await Promise.all([open(), open(), open()]);
  expect(new Set(buses.map(({ tasksCreated }) => tasksCreated)).size).toBe(1);
  await Promise.all(buses.map((bus) => bus.close()));
});

describe('a stream or bucket that is configured otherwise', () => {
  let nats: TestServer;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  const open = () => connectBus({ servers: nats.url, name: 'test', replicas: 1 });

  beforeAll(async () => {
    nats = await startNats();
    connection = await connect({ servers: nats.url });
    manager = await jetstreamManager(connection);
    await (await open()).close();
  });
  afterAll(async () => {
    await connection?.close();
    await nats?.stop();
  });

  it.each<[stream: string, difference: Partial<StreamConfig>]>([
    ['TASKS', { max_age: nanos(3_600_000) }],
    ['TASKS', { max_msgs_per_subject: 1 }],
    ['TASKS', { storage: 'memory' }],
    ['TASKS', { discard: 'old' }],
    ['TASKS', { allow_direct: false }],
    ['TASKS', { subjects: ['task.*.*', 'work.*.*'] }],
    ['TASKS', { republish: { src: 'task.*.*', dest: 'heard.{{wildcard(1)}}.{{wildcard(2)}}' } }],
    ['INBOX', { max_age: nanos(3_600_000) }],
    ['INBOX', { retention: 'interest' }],
    ['DELIVERIES', { max_age: nanos(3_600_000) }],
    ['DELIVERIES', { max_msgs_per_subject: -1 }],
    ['KV_registry', { max_age: nanos(3_600_000) }],
    ['KV_registry', { storage: 'memory' }],
    ['KV_feeds', { max_msgs_per_subject: 5 }],
    ['KV_feeds', { republish: { src: '$KV.feeds.>', dest: 'heard.>' } }],
    ['KV_leases', { max_age: nanos(3_600_000) }],
  ])('is refused by name, and the setting told: %s %j', async (stream, difference) => {
    const { config } = await manager.streams.info(stream);
    const rebuild = async (changed: StreamConfig) => {
      await manager.streams.delete(stream);
      await manager.streams.add(changed);
    };
    await rebuild({ ...config, ...difference });
    const settings = Object.keys(difference).join();
    const name = stream.startsWith('KV_') ? `bucket ${stream.slice(3)}` : `stream ${stream}`;
    const refusal = `The ${name} on NATS is not configured as Relay needs it: ${settings}.`;
    await expect(open()).rejects.toThrow(refusal);
    await rebuild(config);
    await (await open()).close();
  });
});

it('replicas are refused where the server cannot be trusted with them', async () => {
  const nats = await natsForTest();
  await expect(connectBus({ servers: nats.url, name: 'test', replicas: 3 })).rejects.toThrow(
    /2\.11/,
  );
});
