import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { appendTasks } from '../../support/append-tasks.ts';
import {
  registerAgent,
  startTestDelivery,
  type TestAgent,
  type TestDelivery,
} from '../../support/delivery.ts';
import { untilAcknowledged } from '../../support/feed-record.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { startNats, type TestServer } from '../../support/servers.ts';
import { taskCommands, testContact } from '../../support/task-commands.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';

let store: string;
let copy: string;
let nats: TestServer;
let delivery: TestDelivery;
let agent: TestAgent;

beforeEach(async () => {
  store = await createTemporaryDirectory();
  copy = await createTemporaryDirectory();
  nats = await startNats({ storeDir: store });
  delivery = await startTestDelivery(nats.url);
  agent = await registerAgent(delivery.registry);
});

afterEach(async () => {
  await delivery.close();
  await nats.stop();
  for (const directory of [store, copy]) await rm(directory, { recursive: true, force: true });
});

const open = (acknowledges = true) =>
  AgentSocket.open({ url: delivery.url, token: agent.token, acknowledges });
const requester = testContact('planner');
const newTask = () => taskCommands(requester, { ...testContact('worker'), id: agent.id }).submit();
const append = (count: number) => fillInbox(delivery.bus, agent.id, count, 1);

/** Kills NATS, does something with its store, and starts it again. */
async function whileDown(work: () => Promise<void>): Promise<void> {
  await nats.kill();
  await work();
  await nats.restart();
  await expect.poll(() => delivery.isReady()).toBe(true);
}

const keepCopy = () => cp(store, copy, { recursive: true });

async function rollBack(): Promise<void> {
  await rm(store, { recursive: true });
  await cp(copy, store, { recursive: true });
}

/** Of a stream, in the store. */
async function directoryOf(stream: string): Promise<string> {
  const paths = await readdir(store, { recursive: true });
  const path = paths.find((each) => each.endsWith(join('streams', stream)));
  if (path === undefined) throw new Error(`there is no ${stream}`);
  return join(store, path);
}

/** Until so many events came. Whoever connects before the rollback is noticed is told to connect again. */
async function untilTold(count: number): Promise<void> {
  const told = new Set<string>();
  while (told.size < count) {
    const socket = await open();
    if (socket.ready.full_sync_required) socket.completeFullSync();
    const isTold = () => {
      for (const { eventId } of socket.events) told.add(eventId);
      return told.size >= count;
    };
    await Promise.race([socket.until(isTold), socket.closed]);
    await socket.close();
  }
}

describe('a store that was rolled back', () => {
  it.each([
    ['acknowledged', true],
    ['sent', false],
  ])('is told by a full sync where events that were %s are gone', async (_, acknowledges) => {
    await append(2);
    const socket = await open();
    await socket.untilEvents(2);
    await socket.close();
    await untilAcknowledged(delivery, agent, 2);
    const before = await open(acknowledges);
    await whileDown(keepCopy);
    await append(4);
    await before.untilEvents(4);
    if (acknowledges) await untilAcknowledged(delivery, agent, 6);
    await whileDown(rollBack);
    expect(await before.closed).toBe(1012);
    const after = await open();
    expect(after.ready).toMatchObject({ acked_through: '2', full_sync_through: '3' });
    after.completeFullSync();
    const eventIds = await append(5);
    const events = await after.untilEvents(5);
    expect(events.map(({ eventId }) => eventId)).toEqual(eventIds);
    await after.close();
  });

  it('tells of what is stored in it from then on, though its sequences were given before', async () => {
    const socket = await open();
    await appendTasks(delivery.bus, 3, newTask);
    await socket.untilEvents(3);
    await whileDown(keepCopy);
    await appendTasks(delivery.bus, 20, newTask);
    await socket.untilEvents(23);
    await socket.close();
    await whileDown(rollBack);
    const told = untilTold(5);
    await appendTasks(delivery.bus, 5, newTask);
    await told;
  });

  it('is noticed by a position behind the end of the inboxes, and all that is left comes again', async () => {
    const eventIds = await append(2);
    await whileDown(keepCopy);
    await append(2);
    const before = await open();
    await before.untilEvents(4);
    await before.close();
    await untilAcknowledged(delivery, agent, 4);
    await whileDown(async () => {
      const inboxes = await directoryOf('INBOX');
      await rm(inboxes, { recursive: true });
      await cp(inboxes.replace(store, copy), inboxes, { recursive: true });
    });
    const after = await open();
    expect(after.ready).toMatchObject({ acked_through: '4', full_sync_through: '5' });
    after.completeFullSync();
    const events = await after.untilEvents(2);
    expect(events.map(({ eventId }) => eventId)).toEqual(eventIds);
    await after.close();
  });
});
