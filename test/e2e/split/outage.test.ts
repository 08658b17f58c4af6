import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { AgentSocket } from '../../support/agent-socket.ts';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { adminToken } from '../../support/gateway.ts';
import {
  type Answer,
  agentMessage,
  atOnce,
  type GatewayClient,
  message,
} from '../../support/gateway-client.ts';

const relay = useCluster();

const rpc = (client: GatewayClient, method: string, params: unknown) =>
  client.rpc({ from: relay.planner, to: relay.worker, method, params });
const asPlanner = (client: GatewayClient, path: string, body?: unknown) =>
  client.send('POST', path, { token: relay.planner.token, body });
const asWorker = (client: GatewayClient, path: string, body: unknown) =>
  client.send('POST', path, { token: relay.worker.token, body });
const createAgent = (client: GatewayClient) =>
  client.send('POST', '/v1/agents', { token: adminToken, body: { handle: 'refused_first' } });
const working = { state: 'WORKING', message: agentMessage('a refused status') };

async function newTask(): Promise<string> {
  const params = { message: message(), configuration: atOnce };
  return (await rpc(relay.clients[0], 'SendMessage', params)).body.result.task.id;
}

async function readinessOf(url: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${url}/readyz`);
  return [response.status, await response.json()];
}

/** What every replica of a service says of itself. */
const readiness = async (name: 'gateway' | 'task-manager' | 'delivery') =>
  Promise.all(relay.cluster.services[name].map(({ url }) => readinessOf(url)));
const twice = (status: number, says: string) => [
  [status, { status: says }],
  [status, { status: says }],
];

async function untilAll(status: number, says: string): Promise<void> {
  for (const name of ['gateway', 'task-manager', 'delivery'] as const) {
    await expect.poll(() => readiness(name)).toEqual(twice(status, says));
  }
}

const untilAllReady = () => untilAll(200, 'ready');
const tasksSent = async () => (await rpc(relay.clients[1], 'ListTasks', {})).body.result.totalSize;

/** Every way to ask for a change. Each must be refused, and leave nothing behind. */
async function commandAll(client: GatewayClient, taskId: string) {
  const params = { message: message('refused') };
  const json = await Promise.all([
    rpc(client, 'SendMessage', params),
    rpc(client, 'SendMessage', { ...params, configuration: atOnce }),
    rpc(client, 'SendStreamingMessage', params),
    rpc(client, 'SendMessage', { message: message('refused', { taskId }), configuration: atOnce }),
    rpc(client, 'CancelTask', { id: taskId }),
  ]);
  const artifact = { artifactId: 'refused', parts: [{ text: 'refused' }] };
  const rest = await Promise.all([
    asPlanner(client, '/v1/tasks', { to: relay.worker.handle, message: message('refused') }),
    asPlanner(client, `/v1/tasks/${taskId}/cancel`),
    asWorker(client, `/v1/tasks/${taskId}/status`, working),
    asWorker(client, `/v1/tasks/${taskId}/artifacts`, { artifact }),
    asWorker(client, `/v1/tasks/${taskId}/reply`, { message: agentMessage('refused') }),
    createAgent(client),
  ]);
  return { json, rest };
}

function expectUnavailable({ status, headers }: Answer): void {
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
}

function expectRefused({ json, rest }: { json: readonly Answer[]; rest: readonly Answer[] }): void {
  for (const answer of [...json, ...rest]) expectUnavailable(answer);
  for (const { body } of json) expect([body.id, body.error.code]).toEqual([7, -32603]);
  for (const { body } of rest) expect(body.error.code).toBe(3006);
}

describe('readiness of each service', () => {
  it('is degraded without Redis where Redis is used, and unavailable without NATS', async () => {
    await untilAllReady();
    await relay.cluster.redis.kill();
    await expect.poll(() => readiness('gateway')).toEqual(twice(200, 'degraded'));
    await expect.poll(() => readiness('task-manager')).toEqual(twice(200, 'degraded'));
    expect(await readiness('delivery')).toEqual(twice(200, 'ready'));
    await relay.cluster.redis.restart();
    await untilAllReady();
    await relay.cluster.nats.kill();
    await untilAll(503, 'unavailable');
    await relay.cluster.nats.restart();
    await untilAllReady();
  });
});

describe('while NATS is away', () => {
  it('each command is refused early in its form and never done; streams and sockets go on afterwards', async () => {
    const taskId = await newTask();
    const sentBefore = await tasksSent();
    const params = { id: taskId };
    const open = await Promise.all(
      relay.clients.map(async (client) => {
        const request = { from: relay.planner, to: relay.worker, method: 'SubscribeToTask' };
        const stream = await client.stream({ ...request, params });
        await stream.next();
        return { stream, socket: await openSocket(client, relay.planner, { acknowledges: true }) };
      }),
    );
    await relay.cluster.nats.kill();
    await untilAll(503, 'unavailable');
    for (const client of relay.clients) {
      const since = performance.now();
      expectRefused(await commandAll(client, taskId));
      expect(performance.now() - since).toBeLessThan(2_000);
    }
    await relay.cluster.nats.restart();
    await untilAllReady();
    const path = `/v1/tasks/${taskId}/status`;
    const done = { state: 'COMPLETED', message: agentMessage('done') };
    const { task } = (await asWorker(relay.clients[0], path, done)).body;
    expect(task.history?.map(({ parts }) => parts)).toEqual([
      [{ text: 'hello' }],
      [{ text: 'done' }],
    ]);
    expect(task.artifacts).toBeUndefined();
    expect((await createAgent(relay.clients[0])).status).toBe(201);
    expect(await tasksSent()).toBe(sentBefore);
    for (const { stream, socket } of open) {
      expect((await stream.rest()).map(({ id }) => id)).toEqual(['2']);
      const [event] = await socket.untilEvents(1);
      expect(event?.body).toContain(taskId);
      await socket.close();
    }
  });
});

/** Commands on a task by both gateways, each of which takes its whole time. */
const commandsOn = (taskId: string) => {
  const followUp = message('refused', { taskId });
  return Promise.all(
    relay.clients.flatMap((client) => [
      rpc(client, 'SendMessage', { message: message('refused'), configuration: atOnce }),
      rpc(client, 'SendMessage', { message: followUp, configuration: atOnce }),
      rpc(client, 'CancelTask', { id: taskId }),
      asWorker(client, `/v1/tasks/${taskId}/status`, working),
    ]),
  );
};

describe('a command whose deadline passed while it lay', () => {
  interface Stall {
    readonly taskId: string;
    readonly answers: readonly Answer[];
  }
  let withManagers: Stall;
  let withNats: Stall;
  let sentBefore: number;
  let socket: AgentSocket;

  beforeAll(async () => {
    const { nats, services } = relay.cluster;
    const [one, two] = [await newTask(), await newTask()];
    sentBefore = await tasksSent();
    socket = await openSocket(relay.clients[1], relay.worker, { acknowledges: true });
    // Each gateway knows both agents now, so the commands get as far as they can.
    for (const client of relay.clients) await asWorker(client, `/v1/tasks/${one}/status`, {});
    for (const manager of services['task-manager']) manager.pause();
    const toManagers = commandsOn(one);
    // What was published before this is answered has reached the task-managers.
    await Promise.all(relay.clients.map((client) => rpc(client, 'ListTasks', {})));
    nats.pause();
    withNats = { taskId: two, answers: await commandsOn(two) };
    withManagers = { taskId: one, answers: await toManagers };
    // The gateway's timer may fire a moment early.
    const answeredAt = Date.now();
    await vi.waitUntil(() => Date.now() > answeredAt + 10, { interval: 1 });
    nats.resume();
    for (const manager of services['task-manager']) manager.resume();
  });

  it.each([
    ['with task-managers', () => withManagers],
    ['with NATS', () => withNats],
  ])('%s that stood still is refused and never done', async (_, stall) => {
    const { taskId, answers } = stall();
    for (const answer of answers) expectUnavailable(answer);
    await untilAllReady();
    const more = { message: message('more', { taskId }), configuration: atOnce };
    const again = () => rpc(relay.clients[0], 'SendMessage', more);
    await expect.poll(async () => (await again()).status).toBe(200);
    const { task } = (await again()).body.result;
    expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
    const texts = task.history?.map(({ parts }) => parts);
    expect(texts).toEqual([[{ text: 'hello' }], [{ text: 'more' }]]);
    expect(await tasksSent()).toBe(sentBefore);
    const isTold = () => socket.events.some(({ body }) => body.includes(taskId));
    await socket.until(isTold);
    expect(socket.events.filter(({ body }) => body.includes('refused'))).toEqual([]);
  });
});
