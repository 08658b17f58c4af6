import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const rpc = (method: string, params?: unknown, from: TestAgent = relay.planner) =>
  relay.client.rpc({ from, to: relay.worker, method, params });
const rest = (method: string, path: string, agent: TestAgent, body?: unknown) =>
  relay.client.send(method, path, { token: agent.token, body });
const create = (body: Record<string, unknown>, from = relay.planner) =>
  rest('POST', '/v1/tasks', from, { to: relay.worker.handle, message: message(), ...body });
const setState = (taskId: string, state: string) =>
  rest('POST', `/v1/tasks/${taskId}/status`, relay.worker, { state });

async function openTask(fields: Record<string, unknown> = {}, from = relay.planner) {
  const params = { message: message('hello', fields), configuration: atOnce };
  return (await rpc('SendMessage', params, from)).body.result.task;
}

describe('GetTask', () => {
  it('shows the task with as much history as asked for', async () => {
    const task = await openTask();
    expect((await rpc('GetTask', { id: task.id })).body.result).toEqual(task);
    await rpc('SendMessage', { message: message('2', { taskId: task.id }), configuration: atOnce });
    const limited = await rpc('GetTask', { id: task.id, history_length: 1 });
    expect(limited.body.result.history?.map(({ parts }) => parts)).toEqual([[{ text: '2' }]]);
    expect(
      (await rpc('GetTask', { id: task.id, historyLength: 0 })).body.result,
    ).not.toHaveProperty('history');
  });

  it('answers alike for tasks of others, of another address and that never were', async () => {
    const task = await openTask();
    const stranger = await relay.client.createAgent();
    const answers = [
      await rpc('GetTask', { id: task.id }, stranger),
      await rpc('GetTask', { id: task.id }, relay.worker),
      await rpc('GetTask', { id: randomUUID() }),
      await rpc('GetTask', { id: 'x.>' }),
      await relay.client.rpc({
        from: relay.planner,
        to: stranger,
        method: 'GetTask',
        params: { id: task.id },
      }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual(answers[0]?.body);
    }
    expect(answers[0]?.body.error.code).toBe(-32001);
  });
});

describe('CancelTask', () => {
  it('cancels an open task, answers the same again, and refuses another final one', async () => {
    const { id } = await openTask();
    const canceled = await rpc('CancelTask', { id });
    expect(canceled.body.result.status.state).toBe('TASK_STATE_CANCELED');
    expect((await rpc('CancelTask', { id })).body.result).toEqual(canceled.body.result);
    const other = await openTask();
    await setState(other.id, 'COMPLETED');
    expect((await rpc('CancelTask', { id: other.id })).body.error.code).toBe(-32002);
    const stranger = await relay.client.createAgent();
    expect((await rpc('CancelTask', { id }, stranger)).body.error.code).toBe(-32001);
  });
});

describe('ListTasks', () => {
  let lister: TestAgent;
  const list = async (params?: unknown) => (await rpc('ListTasks', params, lister)).body.result;
  const ids = async (params?: unknown) => (await list(params)).tasks.map(({ id }) => id);

  beforeAll(async () => {
    lister = await relay.client.createAgent();
    for (const n of [1, 2, 3, 4, 5]) {
      const { id } = await openTask({ contextId: n % 2 ? 'odd' : 'even' }, lister);
      if (n === 5) {
        const artifact = { artifactId: 'a', parts: [{ text: 'result' }] };
        await rest('POST', `/v1/tasks/${id}/artifacts`, relay.worker, { artifact });
        await setState(id, 'COMPLETED');
      }
    }
  });

  it('lists the newest status first, without history and artifacts unless asked for', async () => {
    const page = await list();
    expect(page).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 5 });
    const times = page.tasks.map(({ status }) => status.timestamp);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(page.tasks[0]?.status.state).toBe('TASK_STATE_COMPLETED');
    for (const task of page.tasks) {
      expect(Object.keys(task).toSorted()).toEqual(['contextId', 'id', 'metadata', 'status']);
    }
    const full = await list({ includeArtifacts: true, historyLength: 5 });
    expect(full.tasks[0]).toMatchObject({ artifacts: [{ artifactId: 'a' }], history: [{}] });
  });

  it('filters by state, context and time', async () => {
    expect(await ids({ status: 'TASK_STATE_COMPLETED' })).toHaveLength(1);
    expect(await ids({ status: 'TASK_STATE_UNSPECIFIED' })).toHaveLength(5);
    expect(await ids({ contextId: 'even' })).toHaveLength(2);
    expect(await ids({ context_id: 'odd', status: 'TASK_STATE_SUBMITTED' })).toHaveLength(2);
    const [newest] = (await list()).tasks;
    expect(await ids({ statusTimestampAfter: newest?.status.timestamp })).toEqual([newest?.id]);
    expect(await ids({ contextId: 'none such' })).toEqual([]);
  });

  it('pages without a gap or a repeat, and refuses a token of another list', async () => {
    const all = await ids();
    const paged: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageSize: 2, pageToken });
      expect(page).toMatchObject({ pageSize: 2, totalSize: 5 });
      paged.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(paged).toEqual(all);
    const { nextPageToken } = await list({ pageSize: 2 });
    for (const params of [
      { pageToken: nextPageToken, contextId: 'odd' },
      { pageToken: 'nonsense' },
      { pageSize: 0 },
      { pageSize: 101 },
    ]) {
      expect((await rpc('ListTasks', params, lister)).body.error.code).toBe(-32602);
    }
  });
});

describe('/v1/tasks', () => {
  it('creates a task at once, the same one for the same message at the address', async () => {
    const sent = message();
    const answer = await create({ to: `@${relay.worker.handle}`, message: sent });
    expect(answer.status).toBe(200);
    expect(answer.body.task.status.state).toBe('TASK_STATE_SUBMITTED');
    const again = await rpc('SendMessage', { message: sent, configuration: atOnce });
    expect(again.body.result.task).toEqual(answer.body.task);
    const followUp = await create({ message: message('more', { taskId: answer.body.task.id }) });
    expect(followUp.body.task.history).toHaveLength(2);
  });

  it('is read by both sides, and by nobody else', async () => {
    const task = await openTask();
    const path = `/v1/tasks/${task.id}`;
    expect((await rest('GET', path, relay.planner)).body).toEqual({ task });
    expect((await rest('GET', path, relay.worker)).body).toEqual({ task });
    const foreign = await rest('GET', path, await relay.client.createAgent());
    const unknown = await rest('GET', `/v1/tasks/${randomUUID()}`, relay.planner);
    for (const { status, body } of [foreign, unknown]) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: { status: 404, code: 2001 }, success: false });
    }
  });

  it('lists the tasks of a side, latest update first', async () => {
    const [requester, callee] = [
      await relay.client.createAgent(),
      await relay.client.createAgent(),
    ];
    const created: string[] = [];
    for (const text of ['1', '2', '3']) {
      const { body } = await create({ to: callee.handle, message: message(text) }, requester);
      created.unshift(body.task.id);
    }
    const idsAt = async (query: string, agent: TestAgent) =>
      (await rest('GET', `/v1/tasks${query}`, agent)).body.tasks.map(({ id }) => id);
    expect(await idsAt('', callee)).toEqual(created);
    expect(await idsAt('?role=requester', requester)).toEqual(created);
    expect(await idsAt('?role=requester', callee)).toEqual([]);
    expect(await idsAt('?state=TASK_STATE_COMPLETED', callee)).toEqual([]);
    const first = await rest('GET', '/v1/tasks?page_size=2', callee);
    const token = first.body.next_page_token;
    expect(await idsAt(`?page_size=2&page_token=${token}`, callee)).toEqual(created.slice(2));
    for (const query of [
      '?page_size=0',
      '?page_token=x',
      '?role=x',
      '?unknown=1',
      '?role=callee&role=callee',
    ]) {
      const { status, body } = await rest('GET', `/v1/tasks${query}`, callee);
      expect([query, status, body.error.code]).toEqual([query, 400, 1005]);
    }
  });

  it('ends a page early rather than answer more than 8 MiB', async () => {
    const [requester, callee] = [
      await relay.client.createAgent(),
      await relay.client.createAgent(),
    ];
    const parts = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(10_000) }));
    const created: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const { id } = (await create({ to: callee.handle, message: message() }, requester)).body.task;
      const said = { ...agentMessage(''), parts };
      await rest('POST', `/v1/tasks/${id}/status`, callee, { state: 'WORKING', message: said });
      created.unshift(id);
    }
    const first = await rest('GET', '/v1/tasks', callee);
    expect(first.text.length).toBeLessThan(8 * 1024 * 1024);
    const second = await rest('GET', `/v1/tasks?page_token=${first.body.next_page_token}`, callee);
    const listed = [...first.body.tasks, ...second.body.tasks].map(({ id }) => id);
    expect(listed).toEqual(created);
    expect(second.body.next_page_token).toBe('');
  });

  it('lets the callee alone change it, and the requester alone cancel it', async () => {
    const { id } = await openTask();
    const bodies = {
      status: { state: 'WORKING' },
      artifacts: { artifact: { artifactId: 'a', parts: [{ text: 'x' }] } },
      reply: { message: agentMessage('x') },
    };
    for (const [action, body] of Object.entries(bodies)) {
      const refused = await rest('POST', `/v1/tasks/${id}/${action}`, relay.planner, body);
      expect([action, refused.status, refused.body.error.code]).toEqual([action, 404, 2001]);
    }
    expect((await rest('POST', `/v1/tasks/${id}/cancel`, relay.worker)).status).toBe(404);
    const canceled = await rest('POST', `/v1/tasks/${id}/cancel`, relay.planner);
    expect(canceled.body.task.status.state).toBe('TASK_STATE_CANCELED');
    const late = await setState(id, 'COMPLETED');
    expect([late.status, late.body.error.code]).toEqual([409, 2034]);
  });

  it('takes an artifact once, and not another one under its id', async () => {
    const { id } = await openTask();
    const add = (text: string) =>
      rest('POST', `/v1/tasks/${id}/artifacts`, relay.worker, {
        artifact: { artifactId: 'a', parts: [{ text }] },
      });
    await add('x');
    expect((await add('x')).body.task.artifacts).toHaveLength(1);
    const other = await add('y');
    expect([other.status, other.body.error.code]).toEqual([400, 1005]);
    const chunk = await rest('POST', `/v1/tasks/${id}/artifacts`, relay.worker, {
      artifact: { artifactId: 'b', parts: [{ text: 'x' }], append: true },
    });
    expect([chunk.status, chunk.body.error.code]).toEqual([400, 1005]);
  });

  it('refuses with the code of the contract and the trace', async () => {
    const shy = await relay.client.createAgent({ acceptsTasks: false });
    const trace = 'a'.repeat(32);
    const refused = await relay.client.send('POST', '/v1/tasks', {
      token: relay.planner.token,
      body: { to: shy.handle, message: message() },
      headers: { traceparent: `00-${trace}-${'b'.repeat(16)}-01` },
    });
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      error: { status: 409, code: 2033, message: "This agent doesn't accept tasks." },
      success: false,
      trace_id: trace,
    });
    expect(refused.headers.get('x-request-id')).toBe(trace);
    const nobody = await create({ to: 'no_such_agent' });
    expect([nobody.status, nobody.body.error.code]).toEqual([404, 2001]);
    const extra = await create({ surprise: 1 });
    expect([extra.status, extra.body.error.code]).toEqual([400, 1005]);
    const self = await create({ to: relay.planner.handle });
    expect([self.status, self.body.error.code]).toEqual([400, 1005]);
  });
});
