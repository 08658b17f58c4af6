import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, decodeInbox, streams, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import {
  registerAgent,
  startTestDelivery,
  type TestAgent,
  type TestDelivery,
  TestTask,
} from '../../support/delivery.ts';
import { startNats, type TestServer } from '../../support/servers.ts';

let nats: TestServer;
let recorder: TestDelivery;
let planner: TestAgent;
let worker: TestAgent;
const started: TestDelivery[] = [];

async function start(): Promise<TestDelivery> {
  const delivery = await startTestDelivery(nats.url);
  started.push(delivery);
  return delivery;
}

beforeEach(async () => {
  nats = await startNats();
  recorder = await start();
  planner = await registerAgent(recorder.registry);
  worker = await registerAgent(recorder.registry);
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((delivery) => delivery.close()));
  await nats.stop();
});

const tasksAtOnce = 12;

/** Tasks whose follow-ups are numbered: in all inboxes together they must come in this order. */
function work(bus: Bus, changesPerTask: number) {
  let recorded = 0;
  const run = async () => {
    const task = new TestTask(bus, planner.contact, worker.contact);
    await task.submit('text 0');
    for (let n = 1; n < changesPerTask; n += 1) {
      recorded += 1;
      await task.followUp(`text ${n}`);
    }
  };
  const done = Promise.all(Array.from({ length: tasksAtOnce }, run));
  return {
    done,
    until: async (share: number) => {
      while (recorded < share * tasksAtOnce * changesPerTask) await sleep(5);
    },
  };
}

interface Delivered {
  readonly taskId: string;
  readonly eventId: string;
  readonly text: string;
}

/** All that is in the agent's inbox, when as much is there as there must be. */
async function readInbox(bus: Bus, agentId: AgentId, count: number): Promise<Delivered[]> {
  const found: Delivered[] = [];
  let notify = () => {};
  const reader = bus.read({
    stream: streams.inbox,
    filter: subjects.inbox(agentId),
    startSequence: 1,
    onMessage: async (message) => {
      for (const { eventId, bytes } of decodeInbox(message).events) {
        const body = Buffer.from(bytes).toString();
        found.push({
          eventId,
          taskId: /"taskId":"([^"]+)"/.exec(body)?.[1] ?? '',
          text: /"text":"([^"]+)"/.exec(body)?.[1] ?? '',
        });
      }
      notify();
    },
  });
  while (found.length < count) {
    await new Promise<void>((resolve) => {
      notify = resolve;
    });
  }
  reader.close();
  return found;
}

async function expectOnceAndInOrder(bus: Bus, changesPerTask: number): Promise<void> {
  const delivered = await readInbox(bus, worker.id, tasksAtOnce * changesPerTask);
  expect(new Set(delivered.map(({ eventId }) => eventId)).size).toBe(delivered.length);
  expect(delivered).toHaveLength(tasksAtOnce * changesPerTask);
  const texts = Array.from({ length: changesPerTask }, (_, n) => `text ${n}`);
  for (const taskId of new Set(delivered.map((event) => event.taskId))) {
    const ofTask = delivered.filter((event) => event.taskId === taskId);
    expect(ofTask.map(({ text }) => text)).toEqual(texts);
  }
}

describe('fan-out', () => {
  it('appends each event once and in order while replicas come and go', async () => {
    const bus = recorder.bus;
    const { done, until } = work(bus, 100);
    await until(0.2);
    const second = await start();
    await until(0.5);
    const third = await start();
    await until(0.6);
    await second.drain();
    await until(0.8);
    await third.drain();
    await done;
    await expectOnceAndInOrder(bus, 100);
  });

  it('goes on where an owner was cut off', async () => {
    const cut = await startTestDelivery(nats.url);
    const { done, until } = work(recorder.bus, 100);
    await until(0.4);
    await cut.bus.close();
    await done;
    await expectOnceAndInOrder(recorder.bus, 100);
    await cut.close().catch(() => undefined);
  });

  it('goes on after NATS was killed', async () => {
    const { done, until } = work(recorder.bus, 100);
    for (const share of [0.2, 0.5, 0.8]) {
      await until(share);
      await nats.kill();
      await nats.restart();
    }
    await done;
    await expectOnceAndInOrder(recorder.bus, 100);
  });

  it('goes on after NATS stood still for longer than a lease is owned', async () => {
    const socket = await AgentSocket.open({
      url: recorder.url,
      token: worker.token,
      acknowledges: true,
    });
    const { done, until } = work(recorder.bus, 60);
    await until(0.4);
    nats.pause();
    await sleep(9_000);
    nats.resume();
    await done;
    await socket.untilEvents(tasksAtOnce * 60);
    await socket.close();
    await expectOnceAndInOrder(recorder.bus, 60);
  });

  it('reads a day again when its checkpoint does not fit the stream', async () => {
    const task = new TestTask(recorder.bus, planner.contact, worker.contact);
    await task.submit('text 0');
    await readInbox(recorder.bus, worker.id, 1);
    await recorder.drain();
    const { tasks } = recorder.bus;
    const { sequence } = (await tasks.read(task.commands.taskId)) ?? { sequence: 0 };
    for (const partition of Array.from({ length: 8 }, (_, p) => p)) {
      const checkpoint = recorder.bus.checkpoint(`fan-out.tasks.${partition}`);
      const { changeId } = await checkpoint.take();
      await checkpoint.save(sequence + 1_000, changeId);
    }
    await task.followUp('text 1');
    const next = await start();
    const delivered = await readInbox(next.bus, worker.id, 2);
    expect(delivered.map(({ text }) => text)).toEqual(['text 0', 'text 1']);
  });
});

describe('sockets', () => {
  it('go on on another replica under the same numbers', async () => {
    const other = await start();
    const one = await AgentSocket.open({ url: recorder.url, token: worker.token });
    const two = await AgentSocket.open({ url: other.url, token: worker.token });
    const { done } = work(recorder.bus, 10);
    await done;
    one.acknowledgeAll();
    await one.untilEvents(120);
    expect(await two.untilEvents(120)).toEqual(one.events);
    await one.close();
    await two.close();
  });

  it('share their types over replicas', async () => {
    const other = await start();
    const one = await AgentSocket.open({ url: recorder.url, token: worker.token });
    const query = '?subscribed_events=task.message';
    const two = await AgentSocket.open({ url: other.url, token: worker.token, query });
    expect(await one.closed).toBe(1012);
    const three = await AgentSocket.open({ url: recorder.url, token: worker.token });
    await work(recorder.bus, 3).done;
    expect(await two.untilEvents(24)).toEqual(await three.untilEvents(24));
    expect(new Set(two.events.map(({ type }) => type))).toEqual(new Set(['task.message']));
    await Promise.all([two.close(), three.close()]);
  });

  it('are told to connect again by a drain, and leave what they acknowledged', async () => {
    await work(recorder.bus, 1).done;
    const socket = await AgentSocket.open({
      url: recorder.url,
      token: worker.token,
      acknowledges: true,
    });
    await socket.untilEvents(tasksAtOnce);
    await socket.ping();
    await recorder.drain();
    expect(await socket.closed).toBe(1012);
    expect(socket.disconnectReason).toBe('restart');
    expect(recorder.isReady()).toBe(false);
    const refused = AgentSocket.open({ url: recorder.url, token: worker.token });
    await expect(refused).rejects.toThrow('503');
    const next = await start();
    const again = await AgentSocket.open({ url: next.url, token: worker.token });
    expect(again.ready.acked_through).toBe(String(tasksAtOnce));
    await again.close();
  });

  it('are refused while NATS is away, and stay open through its absence', async () => {
    const socket = await AgentSocket.open({ url: recorder.url, token: worker.token });
    await nats.kill();
    await expect(AgentSocket.open({ url: recorder.url, token: planner.token })).rejects.toThrow(
      '503',
    );
    await nats.restart();
    const { done } = work(recorder.bus, 2);
    await socket.untilEvents(2 * tasksAtOnce);
    await done;
    await socket.close();
  });
});
