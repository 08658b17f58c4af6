import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentMessage } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 5, streamSeconds: 10 } });

const rpc = (method: string, params?: unknown, headers: Record<string, string> = {}) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params, headers });
const stream = (method: string, params: unknown) =>
  relay.client.stream({ from: relay.planner, to: relay.worker, method, params });
const act = (taskId: string, action: string, body: unknown) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: relay.worker.token, body });
const setState = (taskId: string, state: string) =>
  act(taskId, 'status', { state, message: agentMessage(state) });

const message = (fields: object = {}) => ({
  kind: 'message',
  messageId: randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text: 'hello' }],
  ...fields,
});
const atOnce = { blocking: false };

async function openTask(): Promise<string> {
  const { body } = await rpc('message/send', { message: message(), configuration: atOnce });
  return body.result.id;
}

describe('A2A 0.3 over JSON-RPC', () => {
  it('answers message/send with a bare task, its parts by kind', async () => {
    const parts = [
      { kind: 'text', text: 'hello', metadata: { a: 1 } },
      { kind: 'file', file: { bytes: 'eA==', name: 'x.txt', mimeType: 'text/plain' } },
      { kind: 'file', file: { uri: 'https://x.example/x', mimeType: 'application/json' } },
      { kind: 'data', data: { a: [1] } },
    ];
    const sent = message({ parts, contextId: 'mine' });
    const { body } = await rpc('message/send', {
      message: sent,
      configuration: atOnce,
      metadata: { from: 'request' },
    });
    const { id } = body.result;
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        kind: 'task',
        id,
        contextId: 'mine',
        status: { state: 'submitted', timestamp: expect.any(String) },
        history: [{ ...sent, taskId: id }],
        metadata: { from: 'request', relay: expect.anything() },
      },
    });
  });

  it('waits for the answer unless it must not block, and answers by a message as one', async () => {
    const waiting = message();
    const call = rpc('message/send', { message: waiting });
    const asked = await rpc('message/send', { message: waiting, configuration: atOnce });
    await act(asked.body.result.id, 'reply', { message: agentMessage('hi') });
    expect((await call).body.result).toMatchObject({
      kind: 'message',
      role: 'agent',
      parts: [{ kind: 'text', text: 'hi' }],
    });
  });

  it('gets and cancels a task, and shows as much history as is asked for', async () => {
    const id = await openTask();
    await setState(id, 'WORKING');
    await act(id, 'artifacts', { artifact: { artifactId: 'a', parts: [{ data: [1] }] } });
    const { body } = await rpc('tasks/get', { id, historyLength: 1 });
    expect(body.result).toMatchObject({
      kind: 'task',
      id,
      status: { state: 'working', message: { kind: 'message', role: 'agent', taskId: id } },
      artifacts: [
        {
          artifactId: 'a',
          parts: [{ kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } }],
        },
      ],
      history: [{ role: 'agent' }],
    });
    const canceled = await rpc('tasks/cancel', { id });
    expect(canceled.body.result).toMatchObject({ kind: 'task', status: { state: 'canceled' } });
    await setState(id, 'WORKING');
    const done = await openTask();
    await setState(done, 'COMPLETED');
    expect((await rpc('tasks/cancel', { id: done })).body.error.code).toBe(-32002);
  });

  it('ends a message stream with a final update, also where the agent asks', async () => {
    const events = await stream('message/stream', { message: message() });
    const first = await events.next();
    expect(first?.data).toMatchObject({ jsonrpc: '2.0', id: 7, result: { kind: 'task' } });
    const taskId = first?.data.result?.id ?? '';
    await setState(taskId, 'WORKING');
    await act(taskId, 'artifacts', { artifact: { artifactId: 'a', parts: [{ text: 'x' }] } });
    await setState(taskId, 'AUTH_REQUIRED');
    await setState(taskId, 'INPUT_REQUIRED');
    const contextId = first?.data.result?.contextId;
    const status = (state: string, final: boolean) => ({
      kind: 'status-update',
      taskId,
      contextId,
      status: expect.objectContaining({ state }),
      final,
    });
    expect((await events.rest()).map(({ id, data }) => [id, data.result])).toEqual([
      ['2', status('working', false)],
      [
        '3',
        {
          kind: 'artifact-update',
          taskId,
          contextId,
          artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] },
          append: false,
          lastChunk: true,
        },
      ],
      ['4', status('auth-required', false)],
      ['5', status('input-required', true)],
    ]);
  });

  it('tells the end also of a message that was answered before, and of one more message', async () => {
    const sent = message();
    const { body } = await rpc('message/send', { message: sent, configuration: atOnce });
    const taskId = body.result.id;
    await setState(taskId, 'INPUT_REQUIRED');
    const again = await (await stream('message/stream', { message: sent })).rest();
    expect(again.map(({ id, data }) => [id, data.result])).toMatchObject([
      [undefined, { kind: 'task', status: { state: 'input-required' } }],
      ['2', { kind: 'status-update', final: true }],
    ]);
    const more = await stream('message/stream', { message: message({ taskId }) });
    expect((await more.next())?.data.result).toMatchObject({ kind: 'task' });
    await setState(taskId, 'INPUT_REQUIRED');
    expect(await more.rest()).toMatchObject([
      { data: { result: { status: { state: 'input-required' }, final: true } } },
    ]);
  });

  it('keeps a subscription open where the agent asks, and ends it when the task is final', async () => {
    const id = await openTask();
    const events = await stream('tasks/resubscribe', { id });
    expect((await events.next())?.data.result).toMatchObject({ kind: 'task', id });
    await setState(id, 'INPUT_REQUIRED');
    expect((await events.next())?.data.result).toMatchObject({
      status: { state: 'input-required' },
      final: false,
    });
    await setState(id, 'COMPLETED');
    expect(await events.rest()).toMatchObject([
      { data: { result: { status: { state: 'completed' }, final: true } } },
    ]);
  });

  it.each([
    ['tasks/pushNotificationConfig/set', -32602],
    ['tasks/pushNotificationConfig/get', -32602],
    ['tasks/pushNotificationConfig/list', -32602],
    ['tasks/pushNotificationConfig/delete', -32602],
    ['agent/getAuthenticatedExtendedCard', -32007],
    ['tasks/list', -32601],
    ['message/none', -32601],
  ])('answers %s with %i', async (method, code) => {
    expect((await rpc(method, {})).body.error.code).toBe(code);
  });

  it('is not what a request gets that asks for 1.0', async () => {
    const headers = { 'a2a-version': '1.0' };
    const { body } = await rpc('message/send', { message: message() }, headers);
    expect(body.error.code).toBe(-32601);
    const answer = await rpc('GetTask', { id: await openTask() }, { 'a2a-version': '0.3' });
    expect(answer.body.result).toMatchObject({ status: { state: 'TASK_STATE_SUBMITTED' } });
  });

  it.each([
    [undefined, ''],
    [{}, 'message'],
    [{ message: message({ role: 'agent' }) }, 'message.role'],
    [{ message: message({ parts: [] }) }, 'message.parts'],
    [{ message: message({ parts: [{ kind: 'text' }] }) }, 'message.parts.0'],
    [{ message: message(), configuration: { historyLength: -1 } }, 'configuration.historyLength'],
  ])('names what is wrong in %j', async (params, field) => {
    const { body } = await rpc('message/send', params);
    expect(body.error).toMatchObject({
      code: -32602,
      data: [{}, { fieldViolations: [{ field }] }],
    });
  });

  it('tells clients that read only streams of a refusal in a stream', async () => {
    const headers = { accept: 'text/event-stream' };
    const params = { id: randomUUID() };
    const answer = await rpc('tasks/resubscribe', params, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.text).toMatch(/^data: \{"jsonrpc":"2.0","id":7,"error":\{"code":-32001,.*\n\n$/);
    expect((await rpc('tasks/resubscribe', params)).body.error.code).toBe(-32001);
  });
});
