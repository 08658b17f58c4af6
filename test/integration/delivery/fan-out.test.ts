import { setTimeout as sleep } from 'node:timers/promises';
import { partitions } from '@relay/bus';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import {
  registerAgent,
  startTestDelivery,
  type TestAgent,
  type TestDelivery,
  TestTask,
} from '../../support/delivery.ts';
import { NumberedWork, readTextsByTask } from '../../support/numbered-work.ts';
import { startNats, type TestServer } from '../../support/servers.ts';

let nats: TestServer;
let first: TestDelivery;
let planner: TestAgent;
let worker: TestAgent;
const started: TestDelivery[] = [];

async function start(): Promise<TestDelivery> {
  const delivery = await startTestDelivery(nats.url);
  started.push(delivery);
  return delivery;
}

const startWork = (changesPerTask: number) =>
  new NumberedWork(first.bus, [planner, worker], changesPerTask);
const readTexts = (count: number) => readTextsByTask(first.bus, worker.id, count);

beforeEach(async () => {
  nats = await startNats();
  first = await start();
  planner = await registerAgent(first.registry);
  worker = await registerAgent(first.registry);
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((delivery) => delivery.close()));
  await nats.stop();
});

describe('fan-out', () => {
  it('appends each event once and in order while replicas come and go', async () => {
    const work = startWork(100);
    await work.until(0.2);
    const second = await start();
    await work.until(0.5);
    const third = await start();
    await work.until(0.6);
    await second.drain();
    await work.until(0.8);
    await third.drain();
    await work.done;
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
  });

  it('goes on where an owner was cut off, and forgets what its sockets left out', async () => {
    const cut = await startTestDelivery(nats.url);
    const query = '?subscribed_events=task.message';
    await AgentSocket.open({ url: cut.url, token: worker.token, query });
    const work = startWork(100);
    await work.until(0.4);
    await cut.bus.close();
    await work.done;
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
    const isThere = () => first.bus.isPresent('delivery', cut.replicaId);
    await vi.waitUntil(async () => !(await isThere()), { timeout: 10_000 });
    const socket = await AgentSocket.open({
      url: first.url,
      token: worker.token,
      acknowledges: true,
    });
    await new TestTask(first.bus, planner.contact, worker.contact).submit();
    await socket.until(() => socket.events.at(-1)?.type === 'task.created');
    await socket.close();
    await cut.close().catch(() => undefined);
  });

  it('goes on after NATS was killed', async () => {
    const work = startWork(100);
    for (const share of [0.2, 0.5, 0.8]) {
      await work.until(share);
      await nats.kill();
      await nats.restart();
    }
    await work.done;
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
  });

  it('goes on after NATS stood still for longer than a lease is owned', async () => {
    const socket = await AgentSocket.open({
      url: first.url,
      token: worker.token,
      acknowledges: true,
    });
    const work = startWork(60);
    await work.until(0.4);
    nats.pause();
    await sleep(9_000);
    nats.resume();
    await work.done;
    await socket.untilEvents(work.total);
    await socket.close();
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
  });

  it('reads a day again when its checkpoint does not fit the stream', async () => {
    const task = new TestTask(first.bus, planner.contact, worker.contact);
    await task.submit('text 0');
    await readTexts(1);
    await first.drain();
    for (const partition of partitions) {
      const checkpoint = first.bus.checkpoint(`fan-out.tasks.${partition}`);
      const { sequence, changeId } = await checkpoint.take();
      await checkpoint.save(sequence + 1_000, changeId);
    }
    await task.followUp('text 1');
    await start();
    expect(await readTexts(2)).toEqual([['text 0', 'text 1']]);
  });
});
