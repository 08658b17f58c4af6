import { once } from 'node:events';
import { connect } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { TestDelivery } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { NumberedWork } from '../../support/numbered-work.ts';

const relay = useDelivery('test');
let here: TestDelivery;
let there: TestDelivery;

const open = (at: TestDelivery, options: Parameters<typeof relay.open>[0] = {}) =>
  relay.open({ at, ...options });
const startWork = (changesPerTask: number) =>
  new NumberedWork(here.bus, [relay.planner, relay.worker], changesPerTask);

/** From now on the worker's token is believed for a while without NATS. */
async function authenticateAnew({ registry }: TestDelivery): Promise<void> {
  const agent = await registry.agentById(relay.worker.id);
  if (agent) registry.forget(agent);
  await registry.authenticate(relay.worker.token);
}

/** Whether an event of a task that is sent now reaches a new socket. */
async function hearsOfNewTask(): Promise<boolean> {
  const socket = await open(here);
  await relay.newTask().submit();
  await Promise.race([socket.ping(), socket.closed]);
  await socket.close();
  return socket.events.length > 0;
}

beforeEach(async () => {
  here = relay.delivery;
  there = await relay.start();
});

describe('the sockets of an agent at several replicas', () => {
  it('get the same events under the same numbers, and share what is acknowledged', async () => {
    const one = await open(here, { acknowledges: true });
    const two = await open(there);
    const { total } = startWork(20);
    await one.untilEvents(total);
    expect(await two.untilEvents(total)).toEqual(one.events);
    await Promise.all([one.close(), two.close()]);
  });

  it('catch up with what was acknowledged elsewhere without waiting for anything', async () => {
    const eventIds = await fillInbox(here.bus, relay.worker.id, 200);
    const behind = await open(there);
    await behind.untilEvents(1);
    const ahead = await open(here, { acknowledges: true });
    await ahead.untilEvents(eventIds.length);
    const events = await behind.untilEvents(eventIds.length);
    expect(events.map(({ eventId }) => eventId)).toEqual(eventIds);
    await Promise.all([ahead.close(), behind.close()]);
  });

  it('share the types that they accept', async () => {
    const one = await open(here);
    const two = await open(there, { query: '?subscribed_events=task.message' });
    expect(await one.closed).toBe(1012);
    const three = await open(here);
    const work = startWork(3);
    await work.done;
    expect(await two.untilEvents(24)).toEqual(await three.untilEvents(24));
    expect(new Set(two.events.map(({ type }) => type))).toEqual(new Set(['task.message']));
    await Promise.all([two.close(), three.close()]);
  });

  it('are not kept from types by a socket that never began', { timeout: 60_000 }, async () => {
    const leaving = await open(there);
    await authenticateAnew(there);
    relay.nats.pause();
    const failing = new WebSocket(`${there.url}?subscribed_events=task.message`, {
      headers: { authorization: `Bearer ${relay.worker.token}` },
    });
    await once(failing, 'open');
    leaving.webSocket.close();
    // What was written of its types had no answer in time, but is stored as soon as NATS goes on.
    expect(await once(failing, 'close')).toContain(1011);
    relay.nats.resume();
    await expect.poll(hearsOfNewTask, { timeout: 20_000 }).toBe(true);
  });

  it('ask NATS for each other once, however many pings come at once', async () => {
    const some = await open(there, { query: '?subscribed_events=task.message' });
    const socket = await open(here);
    await socket.ping();
    const listening = await connect({ servers: relay.nats.url });
    onTestFinished(() => listening.close());
    let reads = 0;
    listening.subscribe('$JS.API.DIRECT.GET.KV_leases.>', {
      callback: () => {
        reads += 1;
      },
    });
    await listening.flush();
    for (let n = 0; n < 500; n += 1) socket.send({ type: 'ping' });
    await socket.until(() => socket.frames.filter(({ type }) => type === 'pong').length > 500);
    await listening.flush();
    expect(reads).toBeLessThan(100);
    await Promise.all([some.close(), socket.close()]);
  });

  it('do not begin any more once they are drained', { timeout: 60_000 }, async () => {
    const other = await open(here);
    await authenticateAnew(here);
    relay.nats.pause();
    const socket = new WebSocket(`${here.url}?subscribed_events=task.message`, {
      headers: { authorization: `Bearer ${relay.worker.token}` },
    });
    const frames: unknown[] = [];
    socket.on('message', (data) => frames.push(data));
    await once(socket, 'open');
    const drained = here.drain();
    const closed = once(socket, 'close');
    relay.nats.resume();
    const [code] = await closed;
    expect([code, frames]).toEqual([1012, []]);
    await drained;
    expect(await other.closed).toBe(1012);
  });

  it('are told to connect again by a drain, and go on at another replica', async () => {
    const work = startWork(1);
    const socket = await open(here, { acknowledges: true });
    await socket.untilEvents(work.total);
    await socket.ping();
    await here.drain();
    expect(await socket.closed).toBe(1012);
    expect(socket.disconnectReason).toBe('restart');
    expect(here.isReady()).toBe(false);
    await expect(open(here)).rejects.toThrow('503');
    const again = await open(there);
    expect(again.ready.acked_through).toBe(String(work.total));
    await again.close();
  });

  it('are refused while NATS is away, and stay open through its absence', async () => {
    const socket = await open(here);
    await relay.nats.kill();
    await expect(open(here)).rejects.toThrow('503');
    expect(here.isReady()).toBe(false);
    await relay.nats.restart();
    const work = startWork(2);
    await socket.untilEvents(work.total);
    await work.done;
    await socket.close();
  });
});
