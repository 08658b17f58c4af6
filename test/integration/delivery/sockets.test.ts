import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
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
});

afterAll(async () => {
  await delivery?.close();
  await nats?.stop();
});

interface OpenOptions {
  readonly query?: string;
  readonly acknowledges?: boolean;
}

const open = (agent: TestAgent, options: OpenOptions = {}) =>
  AgentSocket.open({ url: delivery.url, token: agent.token, ...options });
const newTask = () => new TestTask(delivery.bus, planner.contact, worker.contact);

async function submit(count: number, text?: string): Promise<void> {
  for (let n = 1; n <= count; n += 1) await newTask().submit(text ?? `task ${n}`);
}

describe('the WebSocket', () => {
  beforeAll(async () => {
    planner = await registerAgent(delivery.registry);
  });

  it('brings each agent its own events in order', async () => {
    worker = await registerAgent(delivery.registry);
    const [plannerSocket, workerSocket] = await Promise.all([open(planner), open(worker)]);
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
    worker = await registerAgent(delivery.registry);
    const first = await open(worker);
    await submit(3);
    const [, two, three] = await first.untilEvents(3);
    first.acknowledge(1);
    await first.ping();
    await first.close();
    const second = await open(worker);
    expect(second.ready.acked_through).toBe('1');
    expect(await second.untilEvents(2)).toEqual([two, three]);
    await second.close();
  });

  it('gives all connections of an agent the same events under the same numbers', async () => {
    worker = await registerAgent(delivery.registry);
    const one = await open(worker);
    await submit(2);
    await one.untilEvents(2);
    const two = await open(worker);
    await submit(1);
    expect(await two.untilEvents(3)).toEqual(await one.untilEvents(3));
    one.acknowledge(2);
    await one.ping();
    const three = await open(worker);
    expect(three.ready.acked_through).toBe('2');
    expect(await three.untilEvents(1)).toEqual(two.events.slice(2));
    await Promise.all([one.close(), two.close(), three.close()]);
  });

  it('keeps 64 unacknowledged events on their way and no more', async () => {
    worker = await registerAgent(delivery.registry);
    const socket = await open(worker);
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
    worker = await registerAgent(delivery.registry);
    const socket = await open(worker);
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

  it('counts only types that all connections accept, and tells others to connect again', async () => {
    worker = await registerAgent(delivery.registry);
    const all = await open(worker);
    const task = newTask();
    await task.submit();
    await task.followUp('more');
    await all.untilEvents(2);
    const some = await open(worker, {
      query: '?subscribed_events=task.message&subscribed_events=not.known',
    });
    expect(await all.closed).toBe(1012);
    expect(all.disconnectReason).toBe('restart');
    const again = await open(worker);
    expect(await some.untilEvents(1)).toEqual(await again.untilEvents(1));
    expect(again.events).toMatchObject([{ sequence: 1, type: 'task.message' }]);
    expect(again.events[0]?.eventId).toBe(all.events[1]?.eventId);
    await some.close();
    expect(await again.closed).toBe(1012);
    const last = await open(worker);
    await newTask().submit();
    expect((await last.untilEvents(2)).map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'task.message'],
      [2, 'task.created'],
    ]);
    await last.close();
  });

  it('lets connections with different types settle on what both accept', async () => {
    worker = await registerAgent(delivery.registry);
    const types = ['task.created', 'task.message', 'task.canceled'];
    const without = (type: string) =>
      `?${types.flatMap((t) => (t === type ? [] : [`subscribed_events=${t}`])).join('&')}`;
    const first = await open(worker, { query: without('task.created') });
    const second = await open(worker, { query: without('task.canceled') });
    expect(await first.closed).toBe(1012);
    const third = await open(worker, { query: without('task.created') });
    const task = newTask();
    await task.submit();
    await task.followUp('for both');
    await task.record(task.commands.cancel());
    expect(await second.untilEvents(1)).toEqual(await third.untilEvents(1));
    expect(second.events.map(({ type }) => type)).toEqual(['task.message']);
    await Promise.all([second.close(), third.close()]);
  });

  it('does not bring again what it left out while it was connected', async () => {
    worker = await registerAgent(delivery.registry);
    const messages = await open(worker, { query: '?subscribed_events=task.message' });
    const task = newTask();
    await task.submit();
    await task.followUp('one');
    await messages.untilEvents(1);
    messages.acknowledge();
    await messages.ping();
    await messages.close();
    await task.followUp('two');
    const all = await open(worker);
    expect((await all.untilEvents(1)).map(({ sequence, type }) => [sequence, type])).toEqual([
      [2, 'task.message'],
    ]);
    await all.close();
  });

  it('brings a large backlog whole', async () => {
    worker = await registerAgent(delivery.registry);
    for (let n = 0; n < 50; n += 1) {
      await Promise.all(Array.from({ length: 100 }, () => newTask().submit()));
    }
    const socket = await open(worker, { acknowledges: true });
    const events = await socket.untilEvents(5_000);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(5_000);
    await socket.close();
  });

  it('answers bad frames and acknowledgements, and goes on', async () => {
    worker = await registerAgent(delivery.registry);
    const socket = await open(worker);
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
    worker = await registerAgent(delivery.registry);
    const socket = await open(worker);
    socket.send('x'.repeat(70_000));
    expect(await socket.closed).toBe(1009);
  });

  it('ends within a second when the token is revoked', async () => {
    worker = await registerAgent(delivery.registry);
    const socket = await open(worker);
    const [hash] = await revoke(worker);
    const startedAt = performance.now();
    expect(await socket.closed).toBe(4401);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(socket.disconnectReason).toBe('revoked');
    expect(hash).toBeDefined();
  });

  it.each([
    ['an unknown token', { token: 'unknown' }, 401, 2004],
    ['no token', { token: '' }, 401, 2004],
    ['the admin token', { token: 'admin-token' }, 403, 2003],
    ['an unknown parameter', { query: '?observe=true' }, 400, 1005],
    ['65 types', { query: `?${'subscribed_events=x&'.repeat(65)}` }, 400, 1005],
    ['another path', { query: '/other' }, 404, 2001],
  ])('refuses %s with an error body', async (_, options, status, code) => {
    worker = await registerAgent(delivery.registry);
    const refusal = await upgrade({ token: worker.token, query: '', ...options });
    expect(refusal).toMatchObject({
      status,
      body: { success: false, error: { status, code }, trace_id: expect.any(String) },
    });
  });
});

async function revoke(agent: TestAgent): Promise<string[]> {
  const record = await delivery.registry.agentById(agent.id);
  const hashes = record?.tokens.map(({ sha256 }) => sha256) ?? [];
  await Promise.all(hashes.map((hash) => delivery.registry.tokens.delete(hash)));
  return hashes;
}

function upgrade({ token, query }: { token: string; query: string }) {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${delivery.url}${query}`, { headers });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => reject(new Error(`accepted ${randomUUID()}`)));
    socket.once('unexpected-response', (_, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
  });
}
