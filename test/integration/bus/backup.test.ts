import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { type BackupConnection, backupStreams, connectBackup, connectBus } from '@relay/bus';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { appendTasks } from '../../support/append-tasks.ts';
import { startNats, type TestServer } from '../../support/servers.ts';
import { taskCommands } from '../../support/task-commands.ts';

const taskCount = 300;
const text = 'x'.repeat(10_000);

let source: TestServer;
let backup: BackupConnection;

beforeAll(async () => {
  source = await startNats();
  const bus = await connectBus({ servers: source.url, name: 'test', replicas: 1 });
  await appendTasks(bus, taskCount, () => taskCommands().submit(text));
  // Everything that was there was delivered.
  for (const sequence of [1, 2, 3]) {
    await bus.deliveries.setAside('test', { subject: 'test', sequence });
    await bus.deliveries.remove(sequence);
  }
  await bus.close();
  backup = await connectBackup({ servers: source.url, replicas: 1 });
});

afterAll(async () => {
  await backup?.close();
  await source?.stop();
});

async function snapshot(stream: string) {
  const chunks: Uint8Array[] = [];
  const description = await backup.snapshot(stream, async (chunk) => {
    chunks.push(chunk);
  });
  return { description, chunks };
}

async function* each(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

async function emptyNats() {
  const nats = await startNats();
  const connection = await connectBackup({ servers: nats.url, replicas: 1 });
  onTestFinished(async () => {
    await connection.close();
    await nats.stop();
  });
  return { nats, connection };
}

describe('a backup of NATS', () => {
  it('holds every stream but the leases', async () => {
    const nats = await connectNats({ servers: source.url });
    const names: string[] = [];
    for await (const name of (await jetstreamManager(nats)).streams.names()) names.push(name);
    await nats.close();
    expect([...backupStreams, 'KV_leases'].toSorted()).toEqual(names.toSorted());
    expect(await backup.presentStreams()).toEqual(backupStreams);
  });

  it('is restored as it was, empty streams too, and Relay takes it for its own', async () => {
    const { nats, connection } = await emptyNats();
    for (const stream of backupStreams) {
      const { description, chunks } = await snapshot(stream);
      await connection.restore(description, each(chunks));
    }
    const before = await connectBus({ servers: source.url, name: 'test', replicas: 1 });
    const after = await connectBus({ servers: nats.url, name: 'test', replicas: 1 });
    onTestFinished(async () => {
      await Promise.all([before.close(), after.close()]);
    });
    const ends = (bus: typeof before) =>
      Promise.all(
        [bus.tasks, bus.chats, bus.inbox, bus.deliveries].map(({ stream }) =>
          stream.lastSequence(),
        ),
      );
    expect(await ends(after)).toEqual(await ends(before));
    expect(after.tasksCreated).toBe(before.tasksCreated);
    for (const sequence of [1, taskCount]) {
      const message = await after.tasks.stream.readAt(sequence);
      const original = await before.tasks.stream.readAt(sequence);
      expect(
        Buffer.from(message?.data ?? new Uint8Array()).equals(original?.data ?? new Uint8Array()),
      ).toBe(true);
    }
  });

  it('makes no stream of an archive that was cut off or changed', async () => {
    const { connection } = await emptyNats();
    const { description, chunks } = await snapshot('TASKS');
    const whole = Buffer.concat(chunks);
    const changed = Buffer.from(whole);
    changed.fill(0, whole.length - 2_000, whole.length - 1_000);
    for (const broken of [whole.subarray(0, whole.length / 2), changed, Buffer.from('nothing')]) {
      await expect(connection.restore(description, each([broken]))).rejects.toThrow();
    }
    expect(await connection.presentStreams()).toEqual([]);
  });

  it('is not restored over a stream that is there', async () => {
    const { description, chunks } = await snapshot('CHATS');
    await expect(backup.restore(description, each(chunks))).rejects.toThrow();
  });

  it('says that a stream is not there, and what happened to the write', async () => {
    const { connection } = await emptyNats();
    await expect(connection.snapshot('TASKS', async () => undefined)).rejects.toThrow();
    const full = backup.snapshot('TASKS', () => Promise.reject(new Error('the disk is full')));
    await expect(full).rejects.toMatchObject({ cause: { message: 'the disk is full' } });
  });
});
