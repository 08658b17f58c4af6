import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

/** What is refused over JSON-RPC is refused over HTTP+JSON, for the same reason and with the same details. */

const relay = useGateway({ config: { sendWaitSeconds: 5 } });

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  relay.client.send(method, `/${relay.worker.handle}${path}`, {
    token: relay.planner.token,
    ...(body === undefined ? {} : { body }),
    headers,
  });
const rpc = (method: string, params: unknown, headers: Record<string, string> = {}) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params, headers });

let finished: string;

beforeAll(async () => {
  const { body } = await rpc('SendMessage', { message: message(), configuration: atOnce });
  finished = body.result.task.id;
  await relay.client.send('POST', `/v1/tasks/${finished}/status`, {
    token: relay.worker.token,
    body: { state: 'COMPLETED', message: agentMessage('done') },
  });
});

interface Refused {
  readonly what: string;
  readonly httpStatus: number;
  readonly overRpc: () => ReturnType<typeof rpc>;
  readonly overHttp: () => ReturnType<typeof call>;
}

const send = (what: string, httpStatus: number, params: () => object): Refused => {
  // The same message both times: what is refused is not taken in.
  let made: object | undefined;
  const body = () => {
    made ??= params();
    return made;
  };
  return {
    what,
    httpStatus,
    overRpc: () => rpc('SendMessage', body()),
    overHttp: () => call('POST', '/message:send', body()),
  };
};

const ofTask =
  (method: string, verb: string, path: (id: string) => string) => (id: () => string) => ({
    overRpc: () => rpc(method, { id: id() }),
    overHttp: () => call(verb, path(id())),
  });
const get = ofTask('GetTask', 'GET', (id) => `/tasks/${id}`);
const cancel = ofTask('CancelTask', 'POST', (id) => `/tasks/${id}:cancel`);
const subscribe = ofTask('SubscribeToTask', 'POST', (id) => `/tasks/${id}:subscribe`);
const unknown = randomUUID();

const refused: readonly Refused[] = [
  { what: 'a read of an unknown task', httpStatus: 404, ...get(() => unknown) },
  { what: 'a cancel of an unknown task', httpStatus: 404, ...cancel(() => unknown) },
  { what: 'a cancel of a finished task', httpStatus: 400, ...cancel(() => finished) },
  { what: 'a subscription to a finished task', httpStatus: 400, ...subscribe(() => finished) },
  send('no message', 400, () => ({})),
  send('an empty part', 400, () => ({ message: message('', { parts: [{}] }) })),
  send('a message on a finished task', 400, () => ({
    message: message('x', { taskId: finished }),
  })),
  send('a message on an unknown task', 404, () => ({ message: message('x', { taskId: unknown }) })),
  send('another context', 400, () => ({
    message: message('x', { taskId: finished, contextId: 'another' }),
  })),
  send('a media type that is not taken', 400, () => ({
    message: message('', { parts: [{ raw: 'eA==', mediaType: 'image/png' }] }),
  })),
  {
    what: 'a page size that is too large',
    httpStatus: 400,
    overRpc: () => rpc('ListTasks', { pageSize: 101 }),
    overHttp: () => call('GET', '/tasks?pageSize=101'),
  },
  {
    what: 'a page token that is none',
    httpStatus: 400,
    overRpc: () => rpc('ListTasks', { pageToken: 'x' }),
    overHttp: () => call('GET', '/tasks?pageToken=x'),
  },
  {
    what: 'another version',
    httpStatus: 400,
    overRpc: () => rpc('ListTasks', {}, { 'a2a-version': '2.0' }),
    overHttp: () => call('GET', '/tasks', undefined, { 'a2a-version': '2.0' }),
  },
  {
    what: 'an extended card that is not there',
    httpStatus: 400,
    overRpc: () => rpc('GetExtendedAgentCard', undefined),
    overHttp: () => call('GET', '/extendedAgentCard'),
  },
];

describe('1.0', () => {
  it.each(refused)('refuses $what alike', async ({ httpStatus, overRpc, overHttp }) => {
    const { error } = (await overRpc()).body;
    const answer = await overHttp();
    expect(answer.status).toBe(httpStatus);
    expect(answer.body).toEqual({
      error: {
        code: httpStatus,
        status: expect.any(String),
        message: error.message,
        details: error.data,
      },
    });
  });
});

describe('0.3', () => {
  const text = (fields: object) => ({
    rpc: { message: { role: 'user', parts: [{ kind: 'text', text: 'x' }], ...fields } },
    http: { message: { role: 'ROLE_USER', content: [{ text: 'x' }], ...fields } },
  });

  const calls = [
    {
      what: 'a read',
      overRpc: () => rpc('tasks/get', { id: unknown }),
      overHttp: () => call('GET', `/v1/tasks/${unknown}`),
    },
    {
      what: 'a cancel',
      overRpc: () => rpc('tasks/cancel', { id: finished }),
      overHttp: () => call('POST', `/v1/tasks/${finished}:cancel`),
    },
    {
      what: 'a message',
      overRpc: () => rpc('message/send', text({ taskId: unknown }).rpc),
      overHttp: () => call('POST', '/v1/message:send', text({ taskId: unknown }).http),
    },
  ];

  it.each(calls)('refuses $what alike', async ({ overRpc, overHttp }) => {
    const { error } = (await overRpc()).body;
    const answer = await overHttp();
    expect([answer.status >= 400, answer.body]).toEqual([true, error]);
  });
});
