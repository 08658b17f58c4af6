import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

/** Calls as the documentation of other A2A platforms has them: what their clients do works here too. */

const relay = useGateway({ config: { sendWaitSeconds: 10 } });

const rpc = (method: string, params: unknown) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params });
const act = (taskId: string, action: string, body: unknown) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: relay.worker.token, body });
const setState = (taskId: string, state: string, fields: object = {}) =>
  act(taskId, 'status', { state, message: { ...agentMessage(state), ...fields } });

/** A task that returned at once. */
async function background(fields: Record<string, unknown> = {}): Promise<string> {
  const params = { message: message('Audit every open PR.', fields), configuration: atOnce };
  return (await rpc('SendMessage', params)).body.result.task.id;
}

describe('a message of 1.0', () => {
  it('needs neither a messageId nor a contextId nor a version', async () => {
    const { body } = await rpc('SendMessage', {
      message: { role: 'ROLE_USER', parts: [{ text: "Summarize yesterday's open incidents." }] },
      configuration: atOnce,
    });
    const { task } = body.result;
    expect(task.contextId).not.toBe('');
    expect(task.history).toMatchObject([
      { messageId: expect.any(String), contextId: task.contextId, taskId: task.id },
    ]);
  });

  it('returns at once where it is asked to, and the task is polled without its history', async () => {
    const id = await background();
    const poll = async () => (await rpc('GetTask', { id, historyLength: 0 })).body.result;
    expect(await poll()).toMatchObject({ id, status: { state: 'TASK_STATE_SUBMITTED' } });
    await setState(id, 'FAILED', { parts: [{ text: 'The disk is full.' }] });
    const failed = await poll();
    expect(failed).toMatchObject({
      status: { state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'The disk is full.' }] } },
    });
    expect(failed).not.toHaveProperty('history');
  });

  it('goes on with a conversation by its contextId, in a new task', async () => {
    const first = (await rpc('GetTask', { id: await background() })).body.result;
    const { contextId } = first;
    const { body } = await rpc('SendMessage', {
      message: message('Which one is oldest?', { contextId }),
      configuration: atOnce,
    });
    expect(body.result.task.contextId).toBe(contextId);
    expect(body.result.task.id).not.toBe(first.id);
  });

  it('reaches no task that is done', async () => {
    const taskId = await background();
    await setState(taskId, 'COMPLETED');
    const late = await rpc('SendMessage', { message: message('more', { taskId }) });
    expect([late.status, late.body.error.code]).toEqual([200, -32004]);
  });

  it('answers what the agent asks, by the ids of task and context, decisions in its metadata', async () => {
    const id = await background();
    const approvalRequests = [{ approvalId: 'appr-1', toolName: 'send_email', approved: false }];
    await setState(id, 'INPUT_REQUIRED', { metadata: { approvalRequests } });
    const asked = (await rpc('GetTask', { id })).body.result;
    expect(asked.status.message?.metadata).toEqual({ approvalRequests });
    const metadata = {
      taskOps: { approvalDecisions: [{ approvalId: 'appr-1', approved: true }] },
    };
    const decision = message('Yes.', { taskId: id, contextId: asked.contextId, metadata });
    await rpc('SendMessage', { message: decision, configuration: atOnce });
    const { token } = relay.worker;
    const { body } = await relay.client.send('GET', `/v1/tasks/${id}`, { token });
    expect(body.task.history?.at(-1)).toMatchObject({ metadata, parts: [{ text: 'Yes.' }] });
    const empty = { ...message('', { taskId: id, metadata }), parts: [] };
    expect((await rpc('SendMessage', { message: empty })).body.error).toMatchObject({
      code: -32602,
      data: [{}, { fieldViolations: [{ field: 'message.parts' }] }],
    });
  });

  it.each(['INPUT_REQUIRED', 'AUTH_REQUIRED'])(
    'is withdrawn while the task is %s',
    async (state) => {
      const id = await background();
      await setState(id, state);
      expect((await rpc('CancelTask', { id })).body.result.status.state).toBe(
        'TASK_STATE_CANCELED',
      );
    },
  );

  it('may say in its metadata which of several agents is meant: the callee reads it', async () => {
    const id = await background({ metadata: { agent: 'researcher' } });
    const { token } = relay.worker;
    const { body } = await relay.client.send('GET', `/v1/tasks/${id}`, { token });
    expect(body.task.history?.[0]?.metadata).toEqual({ agent: 'researcher' });
  });
});

describe('an artifact', () => {
  const files = [
    { raw: 'iVBORw0KGgo=', filename: 'chart.png', mediaType: 'image/png' },
    { data: { rows: [[1, 2]] }, mediaType: 'application/json' },
  ];

  it('holds files and structured data, and streams with its name', async () => {
    const id = await background();
    const events = await relay.client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'SubscribeToTask',
      params: { id },
    });
    await events.next();
    await act(id, 'artifacts', {
      artifact: { artifactId: 'a', name: 'research-result', parts: files },
    });
    expect((await events.next())?.data.result?.artifactUpdate).toMatchObject({
      artifact: { name: 'research-result', parts: files },
      lastChunk: true,
    });
    events.disconnect();
    const older = await rpc('tasks/get', { id });
    expect(older.body.result.artifacts?.[0]?.parts).toEqual([
      {
        kind: 'file',
        file: { bytes: 'iVBORw0KGgo=', name: 'chart.png', mimeType: 'image/png' },
      },
      { kind: 'data', data: { rows: [[1, 2]] } },
    ]);
  });
});

describe('a call of 0.1', () => {
  const params = (id: string) => ({
    id,
    message: { role: 'user', parts: [{ type: 'text', text: 'Summarize AI safety papers' }] },
  });

  it('streams to clients that take nothing but streams, to the end', async () => {
    const events = await relay.client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'tasks/sendSubscribe',
      params: params('task-002'),
      headers: { accept: 'text/event-stream' },
    });
    expect((await events.next())?.data.result).toMatchObject({
      id: 'task-002',
      status: { state: 'submitted' },
    });
    const { body } = await relay.client.send('GET', '/v1/tasks?page_size=1', {
      token: relay.worker.token,
    });
    const taskId = body.tasks[0]?.id ?? '';
    await setState(taskId, 'WORKING');
    await setState(taskId, 'FAILED');
    expect((await events.rest()).map(({ data }) => data.result)).toMatchObject([
      { status: { state: 'working' }, final: false },
      { status: { state: 'failed' }, final: true },
    ]);
  });
});

describe('a card', () => {
  const skills = [
    {
      id: 'researcher',
      name: 'researcher',
      description: 'Research and summarize source material.',
      tags: ['fast-agent', 'basic'],
      examples: ['Hello'],
      inputModes: ['text/plain', 'image/*'],
      outputModes: ['application/json'],
    },
  ];

  it('shows the skills with their tags, examples and modes, wherever a version looks for it', async () => {
    const { handle } = await relay.client.createAgent({ skills });
    for (const place of [
      'agent-card.json',
      '.well-known/agent-card.json',
      '.well-known/agent.json',
    ]) {
      for (const version of ['1.0', '0.3']) {
        const headers = { 'a2a-version': version };
        const { body } = await relay.client.send('GET', `/${handle}/${place}`, { headers });
        expect([place, version, body]).toMatchObject([place, version, { skills }]);
      }
    }
  });

  it('names the host by which it was asked for', async () => {
    const url = relay.client.url.replace('127.0.0.1', 'localhost');
    const response = await fetch(`${url}/${relay.worker.handle}/agent-card.json`);
    expect(await response.text()).toContain(`"url":"${url}/${relay.worker.handle}"`);
  });
});
