import { describe, expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';

const relay = useDelivery('file');
const open = (query = '') => relay.open({ query });
const { newTask } = relay;

describe('the types that the sockets of an agent accept', () => {
  it('are the only ones that count, and a change of them lets the others connect again', async () => {
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
