import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../../support/chat-calls.ts';
import { startTestGateway } from '../../../support/gateway.ts';
import {
  agentMessage,
  atOnce,
  message as currentMessage,
  GatewayClient,
  type TestAgent,
} from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 5, streamSeconds: 10 } });

interface CallOptions {
  readonly from?: TestAgent;
  readonly to?: TestAgent;
  readonly client?: GatewayClient;
}

const rpc = (
  method: string,
  params?: unknown,
  { from = relay.planner, to = relay.worker, client = relay.client }: CallOptions = {},
) => client.rpc({ from, to, method, params });
const stream = (method: string, params: unknown) =>
  relay.client.stream({ from: relay.planner, to: relay.worker, method, params });
const act = (taskId: string, action: string, body: unknown) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: relay.worker.token, body });
const setState = (taskId: string, state: string) =>
  act(taskId, 'status', { state, message: agentMessage(state) });

const message = (text = 'hello') => ({ role: 'user', parts: [{ type: 'text', text }] });

/** Relay's own id of the newest task of the worker. */
async function newestTask(): Promise<string> {
  const { body } = await relay.client.send('GET', '/v1/tasks?page_size=1', {
    token: relay.worker.token,
  });
  return body.tasks[0]?.id ?? '';
}

/** A task that the planner calls by that name; its first message is not answered yet. */
async function openTask(name: string = randomUUID()): Promise<{ name: string; taskId: string }> {
  const events = await stream('tasks/sendSubscribe', { id: name, message: message() });
  await events.next();
  events.disconnect();
  return { name, taskId: await newestTask() };
}

describe('A2A 0.1', () => {
  it('answers tasks/send with the task by its name', async () => {
    const name = 'task-001';
    const answer = rpc('tasks/send', {
      id: name,
      sessionId: 'session',
      message: message(),
      historyLength: 10,
      pushNotification: null,
      metadata: { a: 1 },
    });
    const events = await stream('tasks/sendSubscribe', {
      id: name,
      sessionId: 'session',
      message: message(),
    });
    await events.next();
    const taskId = await newestTask();
    await act(taskId, 'artifacts', {
      artifact: { artifactId: 'a', name: 'A', parts: [{ text: 'x' }, { data: 7 }] },
    });
    await setState(taskId, 'COMPLETED');
    expect((await answer).body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        id: name,
        sessionId: 'session',
        status: {
          state: 'completed',
          message: { role: 'agent', parts: [{ type: 'text', text: 'COMPLETED' }] },
          timestamp: expect.any(String),
        },
        artifacts: [
          {
            name: 'A',
            parts: [
              { type: 'text', text: 'x' },
              { type: 'data', data: { value: 7 }, metadata: { data_part_compat: true } },
            ],
            index: 0,
            append: false,
            lastChunk: true,
          },
        ],
        history: [message(), { role: 'agent', parts: [{ type: 'text', text: 'COMPLETED' }] }],
        metadata: { a: 1, relay: expect.anything() },
      },
    });
    await events.rest();
  });

  it('takes the same message again as a retry, and another one as more on the task', async () => {
    const { name, taskId } = await openTask();
    await setState(taskId, 'INPUT_REQUIRED');
    const retried = await rpc('tasks/send', { id: name, message: message(), historyLength: 9 });
    expect(retried.body.result.status.state).toBe('input-required');
    expect(retried.body.result.history).toHaveLength(2);
    const more = rpc('tasks/send', { id: name, message: message('more'), historyLength: 9 });
    const events = await relay.client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'SubscribeToTask',
      params: { id: taskId },
    });
    for (let event = await events.next(); event; event = await events.next()) {
      const { body } = await rpc('tasks/get', { id: name, historyLength: 9 });
      if (body.result.history?.length === 3) break;
      await setState(taskId, 'WORKING');
    }
    events.disconnect();
    await setState(taskId, 'COMPLETED');
    const { result } = (await more).body;
    expect(result.status.state).toBe('completed');
    expect(JSON.stringify(result.history)).toContain('more');
    const late = await rpc('tasks/send', { id: name, message: message('too late') });
    expect(late.body.error.code).toBe(-32004);
    expect((await rpc('tasks/send', { id: name, message: message() })).body.result.id).toBe(name);
  });

  it('opens one task for a name, however many send it at once', async () => {
    const name = randomUUID();
    const events = await Promise.all(
      ['one', 'two', 'three', 'one'].map((text) =>
        stream('tasks/sendSubscribe', { id: name, message: message(text) }),
      ),
    );
    await Promise.all(events.map((each) => each.next()));
    const { body } = await rpc('tasks/get', { id: name, historyLength: 10 });
    const texts = body.result.history?.map((each) => JSON.stringify(each.parts));
    expect(new Set(texts).size).toBe(3);
    expect(texts).toHaveLength(3);
    for (const each of events) each.disconnect();
  });

  it('streams artifacts and statuses by the name, and ends where the agent asks', async () => {
    const name = 'task-002';
    const events = await stream('tasks/sendSubscribe', { id: name, message: message() });
    expect(await events.next()).toMatchObject({
      id: '1',
      data: { jsonrpc: '2.0', id: 7, result: { id: name, status: { state: 'submitted' } } },
    });
    const taskId = await newestTask();
    await setState(taskId, 'WORKING');
    for (const artifactId of ['a', 'b']) {
      await act(taskId, 'artifacts', { artifact: { artifactId, parts: [{ text: artifactId }] } });
    }
    await setState(taskId, 'INPUT_REQUIRED');
    expect((await events.rest()).map(({ data }) => data.result)).toMatchObject([
      { id: name, status: { state: 'working' }, final: false },
      { id: name, artifact: { index: 0, parts: [{ type: 'text', text: 'a' }] } },
      { id: name, artifact: { index: 1, parts: [{ type: 'text', text: 'b' }] } },
      { id: name, status: { state: 'input-required' }, final: true },
    ]);
    const again = await stream('tasks/resubscribe', { id: name });
    const seen = [await again.next(), await again.next(), await again.next()];
    expect(seen.map((frame) => [frame?.id, frame?.data.result])).toMatchObject([
      [undefined, { id: name, artifact: { index: 0 } }],
      [undefined, { id: name, artifact: { index: 1 } }],
      ['5', { id: name, status: { state: 'input-required' }, final: false }],
    ]);
    await setState(taskId, 'COMPLETED');
    expect(await again.rest()).toMatchObject([{ data: { result: { final: true } } }]);
  });

  it('gets and cancels a task by its name, with history only where it is asked for', async () => {
    const { name } = await openTask();
    const found = await rpc('tasks/get', { id: name });
    expect(found.body.result).toMatchObject({ id: name, status: { state: 'submitted' } });
    expect(found.body.result).not.toHaveProperty('kind');
    expect(found.body.result).not.toHaveProperty('history');
    const withHistory = await rpc('tasks/get', { id: name, historyLength: 1 });
    expect(withHistory.body.result.history).toEqual([message()]);
    const canceled = await rpc('tasks/cancel', { id: name });
    expect(canceled.body.result).toMatchObject({ id: name, status: { state: 'canceled' } });
  });

  it('finds by its name a message that stands in a chat, and the answer as a retry does', async () => {
    const to = await relay.client.createAgent({ acceptsTasks: false });
    const first = await messageAgents(relay.client, to, [relay.planner], 'Hello first.');
    const { chat_id: sessionId } = chatBody(first);
    const id = randomUUID();
    const get = { id, historyLength: 1 };
    const said = (path: string, body?: unknown) =>
      relay.client.send(body ? 'POST' : 'GET', path, { token: to.token, body });
    const answering = rpc('tasks/send', { id, message: message() }, { to });
    const path = `/v1/chats/${sessionId}/messages`;
    await expect.poll(async () => (await said(path)).text).toContain('"hello"');
    expect((await rpc('tasks/get', get, { to })).body.result).toEqual({
      id,
      sessionId,
      status: { state: 'submitted', timestamp: expect.any(String) },
      history: [message()],
    });
    await said(path, { message: textMessage('yes') });
    const { result } = (await answering).body;
    expect(result.status.state).toBe('completed');
    expect((await rpc('tasks/send', { id, message: message() }, { to })).body.result).toEqual(
      result,
    );
    expect((await rpc('tasks/get', get, { to })).body.result).toEqual(result);
    const from = await relay.client.createAgent();
    expect((await rpc('tasks/get', get, { to, from })).body.error.code).toBe(-32001);
    expect((await rpc('tasks/cancel', { id }, { to })).body.error.code).toBe(-32001);
  });

  it("keeps a name each caller's own, for each agent", async () => {
    const { name } = await openTask();
    const stranger = await relay.client.createAgent();
    const other = await relay.client.createAgent();
    expect((await rpc('tasks/get', { id: name }, { from: stranger })).body.error.code).toBe(-32001);
    expect((await rpc('tasks/get', { id: name }, { to: other })).body.error.code).toBe(-32001);
    expect((await rpc('tasks/cancel', { id: name }, { from: stranger })).body.error.code).toBe(
      -32001,
    );
    const opened = relay.client.stream({
      from: stranger,
      to: relay.worker,
      method: 'tasks/sendSubscribe',
      params: { id: name, message: message('mine') },
    });
    await (await opened).next();
    const own = await rpc('tasks/get', { id: name, historyLength: 9 }, { from: stranger });
    expect(own.body.result.history).toEqual([message('mine')]);
    const before = await rpc('tasks/get', { id: name, historyLength: 9 });
    expect(before.body.result.history).toEqual([message()]);
  });

  it('knows a name on every gateway, also on one that started later', async () => {
    const { name } = await openTask('a name that is no UUID');
    const { nats, redis } = relay;
    const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
    const client = new GatewayClient(gateway.url);
    const { body } = await rpc('tasks/get', { id: name }, { client });
    expect(body.result).toMatchObject({ id: name, status: { state: 'submitted' } });
    await gateway.close();
  });

  it('means the task of that id where the caller sent it over another version', async () => {
    const sent = await rpc('SendMessage', { message: currentMessage(), configuration: atOnce });
    const { id } = sent.body.result.task;
    // By its id a task is answered as 0.3 has it, where the method does not say 0.1.
    expect((await rpc('tasks/get', { id })).body.result).toMatchObject({ kind: 'task', id });
    const events = await stream('tasks/sendSubscribe', { id, message: message('more') });
    expect((await events.next())?.data.result).toMatchObject({ id, status: {}, final: false });
    events.disconnect();
    const { body } = await rpc('GetTask', { id });
    expect(body.result.history).toHaveLength(2);
  });

  it('keeps to the session of a task', async () => {
    const { name } = await openTask();
    const params = { id: name, sessionId: 'another', message: message('more') };
    expect((await rpc('tasks/send', params)).body.error.code).toBe(-32602);
  });

  it.each([
    ['tasks/send', {}, -32602],
    ['tasks/send', { id: '', message: message() }, -32602],
    ['tasks/send', { id: 'x', message: { role: 'user', parts: [] } }, -32602],
    ['tasks/send', { id: 'x', message: message(), pushNotification: { url: 'x' } }, -32602],
    ['tasks/send', undefined, -32602],
    ['tasks/get', { id: 'unknown' }, -32001],
    ['tasks/cancel', { id: 'unknown' }, -32001],
    ['tasks/resubscribe', { id: 'unknown' }, -32001],
    ['tasks/pushNotification/set', {}, -32602],
    ['tasks/pushNotification/get', { id: 'unknown' }, -32001],
  ])('answers %s of %j with %i', async (method, params, code) => {
    expect((await rpc(method, params)).body.error.code).toBe(code);
  });
});
