import { setTimeout as sleep } from 'node:timers/promises';
import { partitions } from '@relay/bus';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDelivery } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { NumberedWork, readTextsByTask } from '../../support/numbered-work.ts';

const relay = useDelivery('test');
let first: TestDelivery;

const startWork = (changesPerTask: number) =>
  new NumberedWork(first.bus, [relay.planner, relay.worker], changesPerTask);
const readTexts = (count: number) => readTextsByTask(first.bus, relay.worker.id, count);

beforeEach(() => {
  first = relay.delivery;
});

describe('fan-out', () => {
  it('appends each event once and in order while replicas come and go', async () => {
    const work = startWork(100);
    await work.until(0.2);
    const second = await relay.start();
    await work.until(0.5);
    const third = await relay.start();
    await work.until(0.6);
    await second.drain();
    await work.until(0.8);
    await third.drain();
    await work.done;
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
  });

  it('goes on where an owner was cut off, and forgets what its sockets left out', async () => {
    const cut = await relay.start();
    const query = '?subscribed_events=task.message';
    await relay.open({ at: cut, query });
    const work = startWork(100);
    await work.until(0.4);
    await cut.bus.close();
    await work.done;
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
    const isThere = () => first.bus.isPresent('delivery', cut.replicaId);
    await expect.poll(() => isThere()).toBe(false);
    const socket = await relay.open({ acknowledges: true });
    await relay.newTask().submit();
    await socket.until(() => socket.events.at(-1)?.type === 'task.created');
    await socket.close();
  });

  it('goes on after NATS was killed', async () => {
    const work = startWork(100);
    for (const share of [0.2, 0.5, 0.8]) {
      await work.until(share);
      await relay.nats.kill();
      await relay.nats.restart();
    }
    await work.done;
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
  });

  it('goes on after NATS stood still for longer than a lease is owned', async () => {
    const socket = await relay.open({ acknowledges: true });
    const work = startWork(60);
    await work.until(0.4);
    relay.nats.pause();
    await sleep(9_000);
    relay.nats.resume();
    await work.done;
    await socket.untilEvents(work.total);
    await socket.close();
    expect(await readTexts(work.total)).toEqual(work.textsByTask);
  });

  it('reads a day again when its checkpoint does not fit the stream', async () => {
    const task = relay.newTask();
    await task.submit('text 0');
    await readTexts(1);
    await first.drain();
    for (const partition of partitions) {
      const checkpoint = first.bus.checkpoint(`fan-out.tasks.${partition}`);
      const taken = await checkpoint.take({ isHeld: () => true });
      await checkpoint.save((taken?.sequence ?? 0) + 1_000, taken?.changeId ?? null);
    }
    await task.followUp('text 1');
    await relay.start();
    expect(await readTexts(2)).toEqual([['text 0', 'text 1']]);
  });
});
