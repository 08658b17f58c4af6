import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../../support/gateway.ts';
import {
  agentMessage,
  atOnce,
  GatewayClient,
  message,
  type TestAgent,
  type TestStream,
} from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';
import { newMessage, streamOver, type Wire, wires } from '../../../support/wires.ts';

/**
 * Kinds of bugs that other implementations were found to have. Three more kinds are proved where they can
 * occur: line endings of event streams in `packages/sdk`, targets of webhooks in `packages/outbound`, and the
 * order of webhooks in `test/integration/delivery`.
 */

const relay = useGateway({ config: { keepaliveSeconds: 0.1, sendWaitSeconds: 5 } });

const rpc = (method: string, params: unknown, client = relay.client) =>
  client.rpc({ from: relay.planner, to: relay.worker, method, params });
const stream = (method: string, params: unknown, client = relay.client) =>
  client.stream({ from: relay.planner, to: relay.worker, method, params });
const act = (taskId: string, action: string, body: unknown) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: relay.worker.token, body });
const setState = (taskId: string, state: string) =>
  act(taskId, 'status', { state, message: agentMessage(state) });
const addArtifact = (taskId: string, artifactId: string, fields: object = {}) =>
  act(taskId, 'artifacts', { artifact: { artifactId, parts: [{ text: artifactId }], ...fields } });

async function openTask(): Promise<string> {
  const { body } = await rpc('SendMessage', { message: message(), configuration: atOnce });
  return body.result.task.id;
}

const stateOf = async (id: string) => (await rpc('GetTask', { id })).body.result.status.state;

describe('the connection of a client', () => {
  it('is not what a task lives by: it goes on when the client disconnects', async () => {
    const events = await stream('SendStreamingMessage', { message: message() });
    const id = (await events.next())?.data.result?.task?.id ?? '';
    events.disconnect();
    await setState(id, 'WORKING');
    await addArtifact(id, 'late');
    await setState(id, 'COMPLETED');
    const { body } = await rpc('GetTask', { id });
    expect(body.result).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'late' }],
    });
  });

  it('loses nothing: a subscription begins with all that was missed, on another gateway too', async () => {
    const events = await stream('SendStreamingMessage', { message: message() });
    const id = (await events.next())?.data.result?.task?.id ?? '';
    events.disconnect();
    await addArtifact(id, 'missed');
    await setState(id, 'INPUT_REQUIRED');
    const { nats, redis } = relay;
    const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
    const again = await stream('SubscribeToTask', { id }, new GatewayClient(gateway.url));
    expect((await again.next())?.data.result?.task).toMatchObject({
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      artifacts: [{ artifactId: 'missed' }],
    });
    again.disconnect();
    await gateway.close();
  });

  it('is kept alive by comments that cost no event', async () => {
    const id = await openTask();
    const events = await stream('SubscribeToTask', { id });
    await events.next();
    const frame = await events.nextFrame();
    expect(frame?.comment).toBeDefined();
    await setState(id, 'COMPLETED');
    expect(await events.rest()).toMatchObject([{ data: { result: { statusUpdate: {} } } }]);
  });
});

describe('a cancel', () => {
  it.each(['WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED'])(
    'of a task that is %s is stored, and told to every stream in every version',
    async (state) => {
      const id = await openTask();
      await setState(id, state);
      const open = [
        await stream('SubscribeToTask', { id }),
        await stream('tasks/resubscribe', { id }),
        await relay.client.streamFrom('GET', `/${relay.worker.handle}/tasks/${id}:subscribe`, {
          token: relay.planner.token,
        }),
      ];
      await rpc('CancelTask', { id });
      expect(await stateOf(id)).toBe('TASK_STATE_CANCELED');
      const last = async (events: TestStream) => JSON.stringify((await events.rest()).at(-1));
      for (const events of open) expect(await last(events)).toMatch(/canceled/i);
    },
  );

  it('has the same effect the second time, but none on a task that was completed', async () => {
    const id = await openTask();
    const first = await rpc('CancelTask', { id });
    expect((await rpc('CancelTask', { id })).body).toEqual(first.body);
    const done = await openTask();
    await setState(done, 'COMPLETED');
    expect((await rpc('CancelTask', { id: done })).body.error.code).toBe(-32002);
  });

  it('is not undone by what comes late or at the same time, and loses no artifact', async () => {
    const id = await openTask();
    const artifacts = Array.from({ length: 12 }, (_, n) => addArtifact(id, `a${n}`));
    const states = ['WORKING', 'WORKING', 'COMPLETED'].map((state) => setState(id, state));
    const canceled = rpc('CancelTask', { id });
    const answers = await Promise.all([...artifacts, ...states, canceled]);
    const { body } = await rpc('GetTask', { id });
    const taken = answers.slice(0, 12).filter(({ status }) => status === 200).length;
    expect(body.result.artifacts?.length ?? 0).toBe(taken);
    const { state } = body.result.status;
    expect(['TASK_STATE_CANCELED', 'TASK_STATE_COMPLETED']).toContain(state);
    expect((await setState(id, 'WORKING')).status).toBe(409);
    expect((await setState(id, 'COMPLETED')).status).toBe(409);
    expect(await stateOf(id)).toBe(state);
  });
});

describe('an artifact in chunks', () => {
  it.each(['append', 'lastChunk', 'last_chunk'])('is refused, not dropped: %s', async (key) => {
    const id = await openTask();
    const refused = await addArtifact(id, 'unknown', { [key]: true });
    expect([refused.status, refused.body.error.code]).toEqual([400, 1005]);
    expect((await rpc('GetTask', { id })).body.result.artifacts).toBeUndefined();
  });

  it('is not needed: one that comes whole keeps its metadata', async () => {
    const id = await openTask();
    await addArtifact(id, 'whole', { metadata: { a: { b: 1 } } });
    const { body } = await rpc('GetTask', { id });
    expect(body.result.artifacts).toMatchObject([{ metadata: { a: { b: 1 } } }]);
  });
});

describe('an answer', () => {
  /** Completes every task of the agent as soon as it is there, until so many are. */
  async function completeAll({ token }: TestAgent, count: number): Promise<void> {
    for (let done = 0; done < count; ) {
      const path = '/v1/tasks?state=TASK_STATE_SUBMITTED';
      const { body } = await relay.client.send('GET', path, { token });
      for (const { id } of body.tasks) {
        const answer = { state: 'COMPLETED', message: agentMessage('done') };
        const request = { token, body: answer };
        const { status } = await relay.client.send('POST', `/v1/tasks/${id}/status`, request);
        if (status === 200) done += 1;
      }
    }
  }

  it('shows the task as the message made it, however soon the agent is done with it', async () => {
    const to = await relay.client.createAgent();
    const count = 24;
    const completing = completeAll(to, count);
    const answers = await Promise.all(
      Array.from({ length: count }, () => {
        const params = { message: message(), configuration: atOnce };
        return relay.client.rpc({ from: relay.planner, to, method: 'SendMessage', params });
      }),
    );
    for (const { body } of answers) {
      expect(body.result.task.status.state).toBe('TASK_STATE_SUBMITTED');
      expect(body.result.task.history).toHaveLength(1);
    }
    await completing;
  });

  it('carries text that is not ASCII through streams in every version', async () => {
    const [from, to, client] = [relay.planner, relay.worker, relay.client];
    const sent = newMessage();
    const open = (request: ReturnType<Wire['stream']>) => streamOver({ client, from, to, request });
    const streams: TestStream[] = [];
    for (const wire of wires.filter(({ name }) => name.startsWith('0.1'))) {
      streams.push(await open(wire.stream(sent)));
    }
    await streams[0]?.next();
    const { body } = await client.send('GET', '/v1/tasks?page_size=1', { token: to.token });
    const id = body.tasks[0]?.id ?? '';
    for (const wire of wires) streams.push(await open(wire.subscribe({ id, name: sent.id })));
    const text = 'Grüße, 世界 👋🏽 \u2028 "\\n"';
    await act(id, 'status', { state: 'COMPLETED', message: agentMessage(text) });
    for (const events of streams) {
      expect(JSON.stringify(await events.rest())).toContain(JSON.stringify(text));
    }
  });
});

describe('ids', () => {
  const versions = [
    ['SendMessage', (fields: Record<string, unknown>) => message('x', fields)],
    [
      'message/send',
      (fields: Record<string, unknown>) => ({
        messageId: randomUUID(),
        role: 'user',
        parts: [{ kind: 'text', text: 'x' }],
        ...fields,
      }),
    ],
  ] as const;

  it.each(versions)(
    'that do not go together are refused, and open no task: %s',
    async (...call) => {
      const [method, messageWith] = call;
      const id = await openTask();
      const send = async (fields: Record<string, unknown>) =>
        (await rpc(method, { message: messageWith(fields) })).body.error.code;
      const count = async () => (await rpc('ListTasks', {})).body.result.totalSize;
      const before = await count();
      expect(await send({ taskId: id, contextId: 'another' })).toBe(-32602);
      expect(await send({ taskId: randomUUID() })).toBe(-32001);
      expect(await send({ taskId: 'mine' })).toBe(-32001);
      expect(await count()).toBe(before);
      expect((await rpc('GetTask', { id })).body.result.history).toHaveLength(1);
    },
  );

  it('of pages that are none are refused, and do not begin anew', async () => {
    for (const pageToken of ['stale', '0', 'x'.repeat(100)]) {
      expect((await rpc('ListTasks', { pageToken })).body.error.code).toBe(-32602);
    }
  });

  it('of a context are no reason to show what was in it before', async () => {
    const contextId = randomUUID();
    const send = (text: string) =>
      rpc('SendMessage', { message: message(text, { contextId }), configuration: atOnce });
    const first = (await send('one')).body.result.task;
    await addArtifact(first.id, 'a');
    const second = (await send('two')).body.result.task;
    expect(second.id).not.toBe(first.id);
    expect([second.history?.length, second.artifacts]).toEqual([1, undefined]);
  });
});

describe('a card', () => {
  /** What shows that an unknown task was asked for, in each binding and version. */
  const asks: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
    'JSONRPC 1.0': (url) => post(url, 'GetTask', { 'a2a-version': '1.0' }),
    'JSONRPC 0.3': (url) => post(url, 'tasks/get'),
    'HTTP+JSON 1.0': (url) => get(`${url}/tasks/${randomUUID()}`),
    'HTTP+JSON 0.3': (url) => get(`${url}/v1/tasks/${randomUUID()}`),
  };
  const notFound: Readonly<Record<string, object>> = {
    'JSONRPC 1.0': { jsonrpc: '2.0', error: { code: -32001 } },
    'JSONRPC 0.3': { jsonrpc: '2.0', error: { code: -32001 } },
    'HTTP+JSON 1.0': { error: { code: 404, status: 'NOT_FOUND' } },
    'HTTP+JSON 0.3': { code: -32001 },
  };

  const pathOf = (url: string) => url.replace(relay.gateway.url, '');
  const post = async (url: string, method: string, headers: Record<string, string> = {}) => {
    const body = { jsonrpc: '2.0', id: 1, method, params: { id: randomUUID() } };
    const { token } = relay.planner;
    return (await relay.client.send('POST', pathOf(url), { token, body, headers })).body;
  };
  const get = async (url: string) =>
    (await relay.client.send('GET', pathOf(url), { token: relay.planner.token })).body;

  it.each(['', '/a2a'])('lists just what answers below %j', async (prefix) => {
    const path = `${prefix}/${relay.worker.handle}/.well-known/agent-card.json`;
    const { text } = await relay.client.send('GET', path);
    const card: {
      supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[];
    } = JSON.parse(text);
    const listed = card.supportedInterfaces.map(({ url, protocolBinding, protocolVersion }) => ({
      url,
      name: `${protocolBinding} ${protocolVersion}`,
    }));
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(asks));
    for (const { url, name } of listed) {
      expect(await asks[name]?.(url)).toMatchObject(notFound[name] ?? {});
    }
  });

  it('declares no capability that is not there', async () => {
    expect((await rpc('GetExtendedAgentCard', {})).body.error.code).toBe(-32004);
  });
});
