import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
let delivery: TestDelivery;
let planner: TestAgent;
let worker: TestAgent;

beforeAll(async () => {
  nats = await startNats();
  delivery = await startTestDelivery(nats.url);
  planner = await registerAgent(delivery.registry);
});

afterAll(async () => {
  await delivery?.close();
  await nats?.stop();
});

const open = (query = '') => AgentSocket.open({ url: delivery.url, token: worker.token, query });
const newTask = () => new TestTask(delivery.bus, planner.contact, worker.contact);

describe('the types that the sockets of an agent accept', () => {
  it('are the only ones that count, and a change of them lets the others connect again', async () => {
    worker = await registerAgent(delivery.registry);
    const all = await open();
    const task = newTask();
    await task.submit();
    await task.followUp('more');
    await all.untilEvents(2);
    const some = await open('?subscribed_events=task.message&subscribed_events=not.known');
    expect(await all.closed).toBe(1012);
    expect(all.disconnectReason).toBe('restart');
    const again = await open();
    expect(await some.untilEvents(1)).toEqual(await again.untilEvents(1));
    expect(again.events).toMatchObject([{ sequence: 1, type: 'task.message' }]);
    expect(again.events[0]?.eventId).toBe(all.events[1]?.eventId);
    await some.close();
    expect(await again.closed).toBe(1012);
    const last = await open();
    await newTask().submit();
    expect((await last.untilEvents(2)).map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'task.message'],
      [2, 'task.created'],
    ]);
    await last.close();
  });

  it('settle on what is common to two that differ', async () => {
    worker = await registerAgent(delivery.registry);
    const types = ['task.created', 'task.message', 'task.canceled'];
    const without = (type: string) =>
      `?${types.flatMap((t) => (t === type ? [] : [`subscribed_events=${t}`])).join('&')}`;
    const first = await open(without('task.created'));
    const second = await open(without('task.canceled'));
    expect(await first.closed).toBe(1012);
    const third = await open(without('task.created'));
    const task = newTask();
    await task.submit();
    await task.followUp('for both');
    await task.record(task.commands.cancel());
    expect(await second.untilEvents(1)).toEqual(await third.untilEvents(1));
    expect(second.events.map(({ type }) => type)).toEqual(['task.message']);
    await Promise.all([second.close(), third.close()]);
  });

  it('decide what is not kept for later', async () => {
    worker = await registerAgent(delivery.registry);
    const messages = await open('?subscribed_events=task.message');
    const task = newTask();
    await task.submit();
    await task.followUp('one');
    await messages.untilEvents(1);
    messages.acknowledge();
    await messages.ping();
    await messages.close();
    await task.followUp('two');
    const all = await open();
    expect((await all.untilEvents(1)).map(({ sequence, type }) => [sequence, type])).toEqual([
      [2, 'task.message'],
    ]);
    await all.close();
  });
});
