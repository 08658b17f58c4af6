import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { Registry } from '@relay/bus';
import { agentRecordSchema, directoryQuerySchema } from '@relay/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Directory } from '../../../services/gateway/src/directory/directory.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';
import { startTestTaskManager, type TestTaskManager } from '../../support/task-manager.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';

let store: string;
let copy: string;
let nats: TestServer;
let redis: TestServer;
let manager: TestTaskManager;
let registry: Registry;
let directory: Directory;

beforeEach(async () => {
  store = await createTemporaryDirectory();
  copy = await createTemporaryDirectory();
  [nats, redis] = await Promise.all([startNats({ storeDir: store }), startRedis()]);
  manager = await startTestTaskManager(nats.url, redis.url);
  registry = new Registry(manager.bus);
  directory = new Directory(manager.bus, registry, manager.directoryIndex);
});

afterEach(async () => {
  directory.close();
  await manager.close();
  await Promise.all([nats.stop(), redis.stop()]);
  for (const folder of [store, copy]) await rm(folder, { recursive: true, force: true });
});

const at = '2026-11-30T09:30:00.000Z';

async function register(handle: string): Promise<void> {
  const agent = agentRecordSchema.parse({
    id: randomUUID(),
    handle,
    display_name: handle,
    subtitle: null,
    description: 'Juggles.',
    category: null,
    skills: [],
    image_url: null,
    visibility: 'public',
    accepts_tasks: true,
    created_at: at,
    updated_at: at,
    tokens: [],
  });
  await registry.agents.create(agent.id, agent);
  await registry.handles.create(agent.handle, { agentId: agent.id });
}

/** The handles that a list and a search hold; none while they cannot be had. */
async function read(query: object): Promise<string[] | undefined> {
  const page = await directory.page(directoryQuerySchema.parse(query)).catch(() => undefined);
  return page?.agents.map(({ handle }) => handle).toSorted();
}

async function untilShown(handles: readonly string[]): Promise<void> {
  for (const query of [{}, { q: 'juggle' }]) {
    await expect.poll(() => read(query), { timeout: 20_000 }).toEqual(handles);
  }
}

async function whileDown(work: () => Promise<void>): Promise<void> {
  await nats.kill();
  await work();
  await nats.restart();
  await expect.poll(() => manager.bus.isConnected()).toBe(true);
}

it('a directory of a store that was rolled back holds what is left, and what comes after it', async () => {
  await register('one');
  await untilShown(['one']);
  await whileDown(() => cp(store, copy, { recursive: true }));
  for (const handle of ['two', 'three', 'four']) await register(handle);
  await untilShown(['four', 'one', 'three', 'two']);
  await whileDown(async () => {
    await rm(store, { recursive: true });
    await cp(copy, store, { recursive: true });
  });
  await untilShown(['one']);
  await register('five');
  await untilShown(['five', 'one']);
});
