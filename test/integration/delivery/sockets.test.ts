import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import {
  registerAgent,
  startTestDelivery,
  type TestDelivery,
  TestTask,
} from '../../support/delivery.ts';
import { startNats, type TestServer } from '../../support/servers.ts';

let nats: TestServer;
let delivery: TestDelivery;

beforeAll(async () => {
  nats = await startNats();
  delivery = await startTestDelivery(nats.url);
});

afterAll(async () => {
  await delivery?.close();
  await nats?.stop();
});

async function startPair() {
  const [planner, worker] = await Promise.all([
    registerAgent(delivery.registry),
    registerAgent(delivery.registry),
  ]);
  const newTask = () => new TestTask(delivery.bus, planner.contact, worker.contact);
  const open = (
    agent: { token: string },
    options: { query?: string; acknowledges?: boolean } = {},
  ) => AgentSocket.open({ url: delivery.url, token: agent.token, ...options });
  return { planner, worker, newTask, open };
}

describe('the WebSocket', () => {
  it('brings each agent its own events in order', async () => {
    const { planner, worker, newTask, open } = await startPair();
    const [plannerSocket, workerSocket] = await Promise.all([open(planner), open(worker)]);
    const task = newTask();
    await task.submit();
    await task.followUp('more');
    await task.record(task.commands.status('WORKING'));
    await task.record(task.commands.cancel());
    const workerEvents = await workerSocket.untilEvents(3);
    const plannerEvents = await plannerSocket.untilEvents(2);
    expect(workerEvents.map(({ type }) => type)).toEqual([
      'task.created',
      'task.message',
      'task.canceled',
    ]);
    expect(plannerEvents.map(({ type }) => type)).toEqual(['task.updated', 'task.updated']);
    expect(workerEvents.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(workerSocket.ready).toMatchObject({ acked_through: '0', full_sync_required: false });
    await Promise.all([plannerSocket.close(), workerSocket.close()]);
  });

  it('goes on after what was acknowledged and brings the rest again with the same bytes', async () => {
    const { worker, newTask, open } = await startPair();
    const first = await open(worker);
    await newTask().submit('one');
    await newTask().submit('two');
    await newTask().submit('three');
    const [, two, three] = await first.untilEvents(3);
    first.acknowledge(1);
    await first.ping();
    await first.close();
    const second = await open(worker);
    expect(second.ready.acked_through).toBe('1');
    expect(await second.untilEvents(2)).toEqual([two, three]);
    await second.close();
  });
});
