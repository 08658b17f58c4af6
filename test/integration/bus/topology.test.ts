import {
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { connectBus, ensureTopology } from '@relay/bus';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { rewritingLink } from '../../support/rewriting-link.ts';
import { startNats, type TestServer } from '../../support/servers.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

it('processes that start at once on an empty server agree on streams and buckets', async () => {
  // One server in thirty shows them the moments in which another one makes a stream.
  for (let round = 0; round < 10; round += 1) {
    const nats = await startNats();
    const open = () => connectBus({ servers: nats.url, name: 'test', replicas: 1 });
    const buses = await Promise.all(Array.from({ length: 16 }, open));
    expect(new Set(buses.map(({ tasksCreated }) => tasksCreated)).size).toBe(1);
    await Promise.all(buses.map((bus) => bus.close()));
    await nats.stop();
  }
});

it.each<[what: string, from: string, to: string]>([
  ['a stream is not known', 'STREAM.INFO.TASKS ', 'STREAM.INFO.TASKX '],
  ['a bucket is not known', 'STREAM.INFO.KV_leases ', 'STREAM.INFO.KV_leasex '],
  ['nobody answers for a stream', 'STREAM.INFO.TASKS _INBOX', 'STREAM.INFO.TASKS _INBOY'],
  ['nobody answers for a bucket', 'STREAM.INFO.KV_leases _INBOX', 'STREAM.INFO.KV_leases _INBOY'],
])('a start goes on where %s at first, as servers do that choose leaders', async (_, from, to) => {
  const nats = await natsForTest();
  // Made before, so that the question is the one after that.
  await (await connectBus({ servers: nats.url, name: 'test', replicas: 1 })).close();
  const link = await rewritingLink(nats.url, { ofClient: { from, to, once: true } });
  const bus = await busForTest(link);
  expect(link.rewritten()).toBe(1);
  expect(Date.parse(bus.tasksCreated)).toBeGreaterThan(0);
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

describe('a setting that an earlier version asked for', () => {
  const week = nanos(7 * 86_400_000);
  const earlier = [
    { stream: 'INBOX', setting: 'max_age', value: week },
    { stream: 'KV_idempotency', setting: 'max_age', value: week },
  ] as const;
  /** A store as it was before. */
  const openEarlier = async () => {
    const nats = await natsForTest();
    const connection = await connect({ servers: nats.url });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    await (await connectBus({ servers: nats.url, name: 'test', replicas: 1 })).close();
    await manager.streams.update('INBOX', { max_age: week });
    await manager.streams.update('KV_idempotency', { max_age: week });
    await jetstream(connection).publish('inbox.0.agent', 'kept');
    return { connection, manager };
  };

  it('is changed in place, by several at once and again, and nothing is lost', async () => {
    const { connection, manager } = await openEarlier();
    const change = () => ensureTopology(connection, 1, earlier);
    await Promise.all([change(), change(), change()]);
    const { config, state } = await manager.streams.info('INBOX');
    expect([config.max_age, state.messages]).toEqual([nanos(30 * 86_400_000), 1]);
    await change();
    await ensureTopology(connection, 1, []);
  });

  it('is left as it is beside a setting that nobody knows', async () => {
    const { connection, manager } = await openEarlier();
    await manager.streams.update('INBOX', { max_msgs_per_subject: 9 });
    await expect(ensureTopology(connection, 1, earlier)).rejects.toThrow(
      'The stream INBOX on NATS is not configured as Relay needs it: max_age, max_msgs_per_subject.',
    );
    const { config } = await manager.streams.info('INBOX');
    expect(config).toMatchObject({ max_age: week, max_msgs_per_subject: 9 });
  });
});

it('replicas are refused where the server cannot be trusted with them', async () => {
  const nats = await natsForTest();
  await expect(connectBus({ servers: nats.url, name: 'test', replicas: 3 })).rejects.toThrow(
    /2\.11/,
  );
});
