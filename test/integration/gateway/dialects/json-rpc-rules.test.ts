import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { atOnce, message } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

/** What 1.0 says of requests over JSON-RPC (A2A 1.0 §5.5–5.7, §9). */

const relay = useGateway({ config: { sendWaitSeconds: 5 } });

const post = (body: unknown, headers: Record<string, string> = {}) =>
  relay.client.send('POST', `/${relay.worker.handle}`, {
    token: relay.planner.token,
    body,
    headers,
  });
const rpc = (method: string, params?: unknown) => post({ jsonrpc: '2.0', id: 7, method, params });
const call = (method: string, params: unknown, fields: object = {}) => ({
  jsonrpc: '2.0',
  id: 'mine',
  method,
  params,
  ...fields,
});

async function openTask(): Promise<string> {
  const { body } = await rpc('SendMessage', { message: message(), configuration: atOnce });
  return body.result.task.id;
}

describe('a request', () => {
  it.each([
    ['an empty batch', []],
    ['a batch', [call('ListTasks', {}), call('ListTasks', {})]],
    ['no object', 'text'],
  ])('is one object: %s is refused as a whole', async (_what, body) => {
    const answer = await post(JSON.stringify(body));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  it.each([
    ['no version of JSON-RPC', { jsonrpc: undefined }],
    ['another version of it', { jsonrpc: '1.0' }],
    ['a number for a method', { method: 7 }],
    ['no method', { method: undefined }],
  ])('with %s is refused by its id', async (_what, fields) => {
    const answer = await post(call('ListTasks', {}, fields));
    expect(answer.body).toMatchObject({ id: 'mine', error: { code: -32600 } });
  });

  it('without an id is done and answered all the same: A2A has no notifications', async () => {
    const sent = message();
    const params = { message: sent, configuration: atOnce };
    const { status, body } = await post({ jsonrpc: '2.0', method: 'SendMessage', params });
    expect([status, body.id]).toEqual([200, null]);
    const { id } = body.result.task;
    expect((await rpc('GetTask', { id })).body.result.history?.[0]?.messageId).toBe(sent.messageId);
  });

  it.each(['1764500000123456789', '-9007199254740993', '1.5', '"ä"'])(
    'gets its id back as it was: %s',
    async (id) => {
      const { text } = await post(`{"jsonrpc":"2.0","id":${id},"method":"ListTasks"}`);
      expect(text).toContain(`"id":${id},"result":`);
      const refused = await post(`{"jsonrpc":"2.0","id":${id},"method":"x"}`);
      expect(refused.text).toContain(`"id":${id},"error":`);
    },
  );

  it.each(['SendMessage', 'SendStreamingMessage', 'GetTask', 'CancelTask', 'SubscribeToTask'])(
    'of %s needs params, and they say what is missing',
    async (method) => {
      for (const params of [undefined, null, {}, [], 'x']) {
        const { status, body } = await rpc(method, params);
        expect([params, status, body.error.code]).toEqual([params, 200, -32602]);
        expect(body.error.data[1]).toMatchObject({ fieldViolations: [{}] });
      }
    },
  );

  it.each(['ListTasks', 'GetExtendedAgentCard'])('of %s needs none', async (method) => {
    const { body } = await rpc(method);
    expect(body.error?.code).not.toBe(-32602);
  });

  it('may say extensions that are unknown here, which are not answered', async () => {
    const id = await openTask();
    for (const name of ['a2a-extensions', 'x-a2a-extensions']) {
      const headers = { [name]: 'https://x.example/one, https://x.example/two' };
      const overRpc = await post(call('GetTask', { id }), headers);
      expect(overRpc.body.result.id).toBe(id);
      expect(overRpc.headers.get(name)).toBeNull();
      const path = `/${relay.worker.handle}/tasks/${id}`;
      const { token } = relay.planner;
      const overHttp = await relay.client.send('GET', path, { token, headers });
      expect([overHttp.status, overHttp.headers.get(name)]).toEqual([200, null]);
    }
  });
});

describe('a field', () => {
  it('goes by its proto name too, at any depth, and unknown ones are ignored', async () => {
    const messageId = randomUUID();
    const contextId = randomUUID();
    const { body } = await rpc('SendMessage', {
      tenant: 'any',
      mood: 'good',
      message: {
        message_id: messageId,
        context_id: contextId,
        role: 'ROLE_USER',
        reference_task_ids: ['x'],
        parts: [{ text: 'x', media_type: 'text/plain', filename: 'x.txt', color: 'red' }],
        weather: {},
      },
      configuration: {
        return_immediately: true,
        history_length: 1,
        accepted_output_modes: ['text/plain'],
        unheard_of: [1],
      },
    });
    expect(body.result.task).toMatchObject({ contextId });
    expect(body.result.task.history).toEqual([
      {
        messageId,
        contextId,
        taskId: body.result.task.id,
        role: 'ROLE_USER',
        referenceTaskIds: ['x'],
        parts: [{ text: 'x', mediaType: 'text/plain', filename: 'x.txt' }],
      },
    ]);
    const list = { page_size: 1, context_id: contextId, history_length: 1 };
    expect((await rpc('ListTasks', list)).body.result).toMatchObject({
      pageSize: 1,
      totalSize: 1,
      tasks: [{ history: [{}] }],
    });
  });

  it('of an enum goes by its number too, but by no number that it does not have', async () => {
    const send = async (role: number) =>
      rpc('SendMessage', { message: message('x', { role }), configuration: atOnce });
    const sent = (await send(1)).body.result.task;
    expect(sent.history?.[0]?.role).toBe('ROLE_USER');
    for (const role of [0, 2, 3, -1, 1.5]) {
      expect([role, (await send(role)).body.error.code]).toEqual([role, -32602]);
    }
    const list = async (status: unknown) =>
      rpc('ListTasks', { status, contextId: sent.contextId, pageSize: 1 });
    expect((await list(1)).body.result.totalSize).toBe(1);
    expect((await list(2)).body.result.totalSize).toBe(0);
    for (const all of [0, 'TASK_STATE_UNSPECIFIED', null, undefined]) {
      expect([all, (await list(all)).body.result.totalSize]).toEqual([all, 1]);
    }
    expect((await list(9)).body.error.code).toBe(-32602);
  });
});
