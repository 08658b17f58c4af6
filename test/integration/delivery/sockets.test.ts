import { describe, expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';

const relay = useDelivery('file');
const { open, newTask } = relay;

async function submit(count: number, text?: string): Promise<void> {
  for (let n = 1; n <= count; n += 1) await newTask().submit(text ?? `task ${n}`);
}

describe('the WebSocket', () => {
  it('brings each agent its own events in order', async () => {
    const [plannerSocket, workerSocket] = await Promise.all([
      open({ agent: relay.planner }),
      open(),
    ]);
    const task = newTask();
    await task.submit();
    await task.followUp('more');
    await task.record(task.commands.status('WORKING'));
    await task.record(task.commands.cancel());
    const workerEvents = await workerSocket.untilEvents(3);
    const plannerEvents = await plannerSocket.untilEvents(2);
    expect(workerEvents.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'task.created'],
      [2, 'task.message'],
      [3, 'task.canceled'],
    ]);
    expect(plannerEvents.map(({ type }) => type)).toEqual(['task.updated', 'task.updated']);
    expect(workerSocket.ready).toEqual({
      type: 'ready',
      connection_id: expect.any(String),
      acked_through: '0',
      full_sync_required: false,
      full_sync_through: null,
      heartbeat_interval_ms: 30_000,
      max_in_flight: 64,
    });
    await Promise.all([plannerSocket.close(), workerSocket.close()]);
  });

  it('goes on after what was acknowledged and brings the rest again with the same bytes', async () => {
    const first = await open();
    await submit(3);
    const [, two, three] = await first.untilEvents(3);
    first.acknowledge(1);
    await first.ping();
    await first.close();
    const second = await open();
    expect(second.ready.acked_through).toBe('1');
    expect(await second.untilEvents(2)).toEqual([two, three]);
    await second.close();
  });

  it('gives all connections of an agent the same events under the same numbers', async () => {
    const one = await open();
    await submit(2);
    await one.untilEvents(2);
    const two = await open();
    await submit(1);
    expect(await two.untilEvents(3)).toEqual(await one.untilEvents(3));
    one.acknowledge(2);
    await one.ping();
    const three = await open();
    expect(three.ready.acked_through).toBe('2');
    expect(await three.untilEvents(1)).toEqual(two.events.slice(2));
    await Promise.all([one.close(), two.close(), three.close()]);
  });

  it('keeps 64 unacknowledged events on their way and no more', async () => {
    const socket = await open();
    await submit(70);
    await socket.untilEvents(64);
    await socket.ping();
    expect(socket.events).toHaveLength(64);
    socket.acknowledge(1);
    await socket.untilEvents(65);
    await socket.ping();
    expect(socket.lastSequence).toBe(65);
    socket.acknowledgeAll();
    await socket.untilEvents(70);
    await socket.close();
  });

  it('keeps 4 MiB on their way, and always one event', async () => {
    const socket = await open();
    await submit(1, 'x'.repeat(5_000_000));
    await submit(3, 'x'.repeat(1_500_000));
    await socket.untilEvents(1);
    await socket.ping();
    expect(socket.lastSequence).toBe(1);
    socket.acknowledge(1);
    await socket.untilEvents(3);
    await socket.ping();
    expect(socket.lastSequence).toBe(3);
    socket.acknowledgeAll();
    await socket.untilEvents(4);
    await socket.close();
  });

  it('brings a large backlog whole', async () => {
    for (let n = 0; n < 50; n += 1) {
      await Promise.all(Array.from({ length: 100 }, () => newTask().submit()));
    }
    const socket = await open({ acknowledges: true });
    const events = await socket.untilEvents(5_000);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(5_000);
    await socket.close();
  });

  it('waits for a slow socket, which gets all that its agent acknowledges elsewhere', async () => {
    const slow = await open();
    slow.webSocket.pause();
    const fast = await open({ acknowledges: true });
    await submit(600, 'x'.repeat(5_000));
    await fast.untilEvents(600);
    slow.webSocket.resume();
    expect(await slow.untilEvents(600)).toEqual(fast.events);
    await Promise.all([slow.close(), fast.close()]);
  });

  it('tells a socket that takes nothing to connect again when it holds up others', async () => {
    const stuck = await open();
    stuck.webSocket.pause();
    const fast = await open({ acknowledges: true });
    await submit(20, 'x'.repeat(1_000_000));
    await fast.untilEvents(20);
    stuck.webSocket.resume();
    expect([1006, 1012]).toContain(await stuck.closed);
    await fast.close();
  });

  it('answers bad frames and acknowledgements, and goes on', async () => {
    const socket = await open();
    await submit(1);
    await socket.untilEvents(1);
    socket.send('{"type":"ack"}');
    socket.send('not json');
    socket.send(Buffer.from('{"type":"ping"}'));
    socket.send('{"type":"ping","extra":1}');
    socket.acknowledge(2);
    socket.send({ type: 'full_sync_complete', through_sequence: '1' });
    await socket.ping();
    expect(socket.errors).toEqual([
      'invalid_frame',
      'invalid_frame',
      'invalid_frame',
      'invalid_frame',
      'ack_out_of_range',
      'full_sync_mismatch',
    ]);
    socket.acknowledge(1);
    await submit(1);
    await socket.untilEvents(2);
    await socket.close();
  });

  it('cuts off a client whose frames are too large', async () => {
    const socket = await open();
    socket.send('x'.repeat(70_000));
    expect(await socket.closed).toBe(1009);
  });
});
