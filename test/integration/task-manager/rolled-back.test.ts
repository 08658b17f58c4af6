import { cp, rm } from 'node:fs/promises';
import { connectBus } from '@relay/bus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IndexedTaskLists } from '../../../services/gateway/src/lists/indexed-task-lists.ts';
import { appendTasks } from '../../support/append-tasks.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';
import { taskCommands, testContact } from '../../support/task-commands.ts';
import { startTestTaskManager, type TestTaskManager } from '../../support/task-manager.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';

let store: string;
let copy: string;
let nats: TestServer;
let redis: TestServer;
let manager: TestTaskManager;

beforeEach(async () => {
  store = await createTemporaryDirectory();
  copy = await createTemporaryDirectory();
  [nats, redis] = await Promise.all([startNats({ storeDir: store }), startRedis()]);
  manager = await startTestTaskManager(nats.url, redis.url);
});

afterEach(async () => {
  await manager.close();
  await Promise.all([nats.stop(), redis.stop()]);
  for (const directory of [store, copy]) await rm(directory, { recursive: true, force: true });
});

const requester = testContact('planner');

async function submit(count: number): Promise<string[]> {
  const tasks = Array.from({ length: count }, () => taskCommands(requester));
  const deadline = Date.now() + 20_000;
  await Promise.all(tasks.map((task) => manager.commands.execute(task.submit(), deadline)));
  return tasks.map(({ taskId }) => taskId);
}

/** All that the requester's list holds; empty while it cannot be had. */
async function list(): Promise<string[]> {
  const lists = new IndexedTaskLists(manager.bus, manager.index);
  const page = await lists
    .list({ requesterId: requester.id, pageSize: 100 })
    .catch(() => undefined);
  lists.close();
  return [...(page?.taskIds ?? [])];
}

async function untilListed(taskIds: readonly string[]): Promise<void> {
  const sorted = taskIds.toSorted();
  await expect.poll(async () => (await list()).toSorted(), { timeout: 20_000 }).toEqual(sorted);
}

/** Stores tasks while no task-manager runs. */
async function submitUnindexed(count: number): Promise<string[]> {
  const bus = await connectBus({ servers: nats.url, name: 'test', replicas: 1 });
  const taskIds: string[] = [];
  await appendTasks(bus, count, () => {
    const { taskId, submit } = taskCommands(requester);
    taskIds.push(taskId);
    return submit();
  });
  await bus.close();
  return taskIds;
}

async function whileDown(work: () => Promise<void>): Promise<void> {
  await nats.kill();
  await work();
  await nats.restart();
  await expect.poll(() => manager.bus.isConnected()).toBe(true);
}

const keepCopy = () => cp(store, copy, { recursive: true });

async function rollBack(): Promise<void> {
  await rm(store, { recursive: true });
  await cp(copy, store, { recursive: true });
}

describe('lists of a store that was rolled back', () => {
  it('hold what is left, and what comes after it', async () => {
    const kept = await submit(3);
    await untilListed(kept);
    await whileDown(keepCopy);
    const lost = await submit(5);
    await untilListed([...kept, ...lost]);
    await whileDown(rollBack);
    await untilListed(kept);
    const later = await submit(2);
    await untilListed([...kept, ...later]);
  });

  it('are made anew where other changes stand at the sequences that were indexed', async () => {
    const kept = await submit(3);
    await whileDown(keepCopy);
    await untilListed([...kept, ...(await submit(5))]);
    await manager.close();
    await nats.kill();
    await rollBack();
    await nats.restart();
    const later = await submitUnindexed(9);
    manager = await startTestTaskManager(nats.url, redis.url);
    await untilListed([...kept, ...later]);
  });
});

it('lists are of the record that took the place of another one, and not of both', async () => {
  const kept = await submit(2);
  await untilListed(kept);
  await whileDown(async () => {
    await keepCopy();
    await rm(store, { recursive: true });
  });
  // Another process makes what is missing.
  const other = await connectBus({ servers: nats.url, name: 'other', replicas: 1 });
  await other.close();
  await expect.poll(list, { timeout: 20_000 }).toEqual([]);
  const there = await submit(3);
  await untilListed(there);
  await whileDown(rollBack);
  await untilListed(kept);
});
