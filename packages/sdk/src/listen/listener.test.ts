import { once } from 'node:events';
import type { EventEnvelope } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RelayAgent } from '../relay-agent.ts';
import { exampleEvent, exampleTask } from '../test-support/examples.ts';
import { FakeRelay } from '../test-support/fake-relay.ts';
import { ackOf, errorFrame, frameOf, ready, updated } from '../test-support/frames.ts';
import type { EventHandler } from './event-queue.ts';
import type { Listener, ListenOptions } from './listener.ts';

let relay: FakeRelay;
let agent: RelayAgent;
let ending: AbortController;
let errors: Error[];

beforeEach(async () => {
  relay = await FakeRelay.start();
  agent = new RelayAgent({ url: relay.url, token: 'secret' });
  ending = new AbortController();
  errors = [];
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  vi.restoreAllMocks();
  ending.abort();
  await relay.stop();
});

/** Listens until the test ends, and keeps its errors. */
function listen(handler: EventHandler, options: ListenOptions = {}): Promise<Listener> {
  const ownErrors = errors;
  const onError = (error: Error) => void ownErrors.push(error);
  return agent.listen(handler, { signal: ending.signal, onError, ...options });
}

/** Starts to listen, and accepts the connection. */
async function connect(handler: EventHandler, options: ListenOptions = {}, acknowledged = 0) {
  const listening = listen(handler, options);
  const connection = await relay.nextConnection();
  connection.send(ready(acknowledged));
  return { connection, listener: await listening };
}

/** A handler whose events end when the test says so. */
function heldHandler() {
  const held = new Map<string, () => void>();
  const handler = (event: EventEnvelope) =>
    new Promise<void>((resolve) => void held.set(event.event_id, resolve));
  const release = async (eventId: string) => {
    await expect.poll(() => held.has(eventId), { interval: 1 }).toBe(true);
    held.get(eventId)?.();
  };
  return { handler, release, taken: () => [...held.keys()] };
}

describe('observe', () => {
  it('hears events in the order of the feed, and acknowledges none', async () => {
    const events: EventEnvelope[] = [];
    const watching = agent.observe((event) => void events.push(event), { signal: ending.signal });
    const connection = await relay.nextConnection();
    expect(connection.path).toBe('/v1/websocket?observe=true');
    connection.send(ready(41));
    const listener = await watching;
    const task = exampleTask('TASK_STATE_WORKING');
    const ofOneTask = () => exampleEvent('task.updated', { task });
    const sent = [ofOneTask(), ofOneTask(), updated(), ofOneTask()];
    connection.send(...sent.map((event, index) => frameOf(42 + index, event)));
    await expect.poll(() => events.length).toBe(sent.length);
    const unacknowledged = connection.nextFrame();
    await listener.stop();
    expect(await Promise.race([unacknowledged, connection.closed])).toMatchObject({ code: 1000 });
    expect(events).toEqual(sent);
  });
});

describe('listen', () => {
  it('acknowledges each event after its handler, and closes when it is stopped', async () => {
    const events: EventEnvelope[] = [];
    const { connection, listener } = await connect((event) => void events.push(event), {}, 41);
    const event = updated();
    connection.send(frameOf(42, event));
    expect(await connection.nextFrame()).toEqual(ackOf(42));
    expect(events).toEqual([event]);
    await listener.stop();
    expect(await connection.closed).toEqual({ code: 1000, reason: 'stopped' });
  });

  it('acknowledges an event only when all before it are handled', async () => {
    const { handler, release } = heldHandler();
    const { connection } = await connect(handler);
    const [first, second] = [updated(), updated()];
    connection.send(frameOf(1, first), frameOf(2, second));
    await release(second.event_id);
    await release(first.event_id);
    expect(await connection.nextFrame()).toEqual(ackOf(2));
  });

  it('acknowledges an event of a type that it does not know', async () => {
    const handler = vi.fn<EventHandler>();
    const { connection } = await connect(handler);
    connection.send(frameOf(1, exampleEvent('moon.landed', {})));
    expect(await connection.nextFrame()).toEqual(ackOf(1));
    expect(handler).not.toHaveBeenCalled();
  });

  it('connects again after a handler failed, and handles that event again', async () => {
    const handler = vi.fn<EventHandler>().mockRejectedValueOnce(new Error('not now'));
    const { connection } = await connect(handler);
    const event = updated();
    connection.send(frameOf(1, event));
    expect(await connection.closed).toEqual({
      code: 4001,
      reason: 'the handler failed at sequence 1',
    });
    const next = await relay.nextConnection();
    next.send(ready(0), frameOf(1, event));
    expect(await next.nextFrame()).toEqual(ackOf(1));
    expect(handler).toHaveBeenCalledTimes(2);
    expect(errors).toMatchObject([{ cause: { message: 'not now' } }]);
  });

  it('does not handle an event twice that comes again while it is handled', async () => {
    const { handler, release, taken } = heldHandler();
    const { connection } = await connect(handler);
    const event = updated();
    connection.send(frameOf(1, event));
    await expect.poll(() => taken().length).toBe(1);
    connection.drop();
    const next = await relay.nextConnection();
    next.send(ready(6), frameOf(7, event));
    await next.taken();
    await release(event.event_id);
    expect(await next.nextFrame()).toEqual(ackOf(7));
    expect(taken()).toEqual([event.event_id]);
  });

  it.each([1011, 1012, 4408])('connects again after %i', async (code) => {
    const { connection } = await connect(() => undefined);
    connection.close(code);
    await relay.nextConnection();
    expect(errors).toMatchObject([{ closeCode: code }]);
  });

  it.each([4401, 4410, 4499])('stops for good after %i', async (code) => {
    const { connection, listener } = await connect(() => undefined);
    connection.close(code, 'no more');
    await expect(listener.finished).rejects.toMatchObject({
      name: 'RelaySocketError',
      closeCode: code,
    });
    expect(errors).toMatchObject([{ closeCode: code }]);
  });

  it('tells that it stopped for good at once, while a handler is still at work', async () => {
    const { handler, release, taken } = heldHandler();
    const { connection, listener } = await connect(handler);
    const event = updated();
    connection.send(frameOf(1, event));
    await expect.poll(() => taken().length).toBe(1);
    connection.close(4401);
    await expect.poll(() => errors).toMatchObject([{ closeCode: 4401 }]);
    await release(event.event_id);
    await expect(listener.finished).rejects.toMatchObject({ closeCode: 4401 });
    expect(errors).toHaveLength(1);
  });

  it.each([429, 500, 503])('tries a refused upgrade again after %i', async (status) => {
    relay.upgradeRefusals.push(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    await connect(() => undefined);
    expect(errors).toMatchObject([{ name: 'RelayRequestError', status }]);
  });

  it.each([301, 401, 403, 404, 409])(
    'stops when an upgrade is answered with %i',
    async (status) => {
      const body = '{"error":{"code":1005,"message":"No."},"success":false,"trace_id":"t"}';
      relay.upgradeRefusals.push(
        `HTTP/1.1 ${status} No\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await expect(listen(() => undefined)).rejects.toMatchObject({
        name: 'RelayRequestError',
        message: 'No.',
        status,
        code: 1005,
        traceId: 't',
      });
    },
  );

  it.each([
    ['a gap', JSON.stringify(frameOf(2))],
    ['a frame that is not JSON', 'hello'],
    ['a frame with an extra key', '{"type":"pong","sent_at":1}'],
    ['a second ready', JSON.stringify(ready(0))],
    ['a malformed event', JSON.stringify(frameOf(1, exampleEvent('task.canceled', {})))],
    [
      'a full sync that was not announced',
      '{"type":"full_sync","through_sequence":"1","reason":"checkpoint_outside_retention"}',
    ],
  ])('takes %s for a protocol error', async (_name, frame) => {
    const { connection, listener } = await connect(() => undefined);
    connection.sendText(frame);
    expect(await connection.closed).toMatchObject({ code: 4002 });
    await expect(listener.finished).rejects.toMatchObject({ name: 'ProtocolError' });
  });

  it('connects again after an error that may pass', async () => {
    const { connection } = await connect(() => undefined);
    connection.send(errorFrame('ack_failed', true));
    expect(await connection.closed).toEqual({ code: 4003, reason: 'ack_failed' });
    await relay.nextConnection();
  });

  it('stops for good after any other error', async () => {
    const { connection, listener } = await connect(() => undefined);
    connection.send(errorFrame('invalid_frame', false));
    expect(await connection.closed).toEqual({ code: 4003, reason: 'invalid_frame' });
    await expect(listener.finished).rejects.toThrow('invalid_frame: No.');
  });

  it('syncs in full before events go on behind the boundary', async () => {
    const onFullSync = vi.fn<NonNullable<ListenOptions['onFullSync']>>();
    const listening = listen(() => undefined, { onFullSync });
    const connection = await relay.nextConnection();
    connection.send(ready(3, '9'), {
      type: 'full_sync',
      through_sequence: '9',
      reason: 'checkpoint_outside_retention',
    });
    expect(await connection.nextFrame()).toEqual({
      type: 'full_sync_complete',
      through_sequence: '9',
    });
    expect(onFullSync).toHaveBeenCalledWith({
      throughSequence: '9',
      reason: 'checkpoint_outside_retention',
    });
    connection.send(frameOf(10));
    expect(await connection.nextFrame()).toEqual(ackOf(10));
    await (await listening).stop();
  });

  it('lets handlers finish when it is stopped, and takes no more events', async () => {
    const { handler, release, taken } = heldHandler();
    const { connection, listener } = await connect(handler);
    const event = updated();
    connection.send(frameOf(1, event));
    await expect.poll(() => taken().length).toBe(1);
    ending.abort();
    connection.send(frameOf(2));
    await connection.taken();
    await release(event.event_id);
    expect(await connection.nextFrame()).toEqual(ackOf(1));
    expect(await connection.closed).toMatchObject({ code: 1000 });
    await listener.finished;
    expect(taken()).toEqual([event.event_id]);
  });

  it('tells a handler that failed while it was stopped, and acknowledges the others', async () => {
    const [first, second] = [updated(), updated()];
    const { connection, listener } = await connect(async (event) => {
      await listenerStopped;
      if (event.event_id === second.event_id) throw new Error('not now');
    });
    const listenerStopped = once(ending.signal, 'abort');
    connection.send(frameOf(1, first), frameOf(2, second));
    await connection.taken();
    ending.abort();
    expect(await connection.nextFrame()).toEqual(ackOf(1));
    expect(await connection.closed).toMatchObject({ code: 1000 });
    await listener.finished;
    expect(errors).toMatchObject([{ cause: { message: 'not now' } }]);
  });

  it('stops while it waits to connect again', async () => {
    const { connection, listener } = await connect(() => undefined);
    vi.spyOn(Math, 'random').mockReturnValue(1);
    connection.drop();
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await expect(listener.stop()).resolves.toBeUndefined();
  });
});
