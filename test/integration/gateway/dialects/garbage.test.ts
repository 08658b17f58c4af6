import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inTurns, mutationsOf, wrongBodies } from '../../../support/garbage.ts';
import type { Answer } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

/** No send waits. */
const relay = useGateway({ config: { sendWaitSeconds: 0 } });

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  relay.client.send(method, `/${relay.worker.handle}${path}`, {
    token: relay.planner.token,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const lastSequence = () => relay.gateway.bus.tasks.stream.lastSequence();

const metadata = { a: { b: 1 } };

const messageV03 = {
  kind: 'message',
  messageId: 'message',
  contextId: 'context',
  role: 'user',
  parts: [
    { kind: 'text', text: 'x', metadata },
    { kind: 'file', file: { bytes: 'eA==', name: 'x', mimeType: 'text/plain' } },
    { kind: 'file', file: { uri: 'https://x.example', mimeType: 'text/plain' } },
    { kind: 'data', data: { a: [1] } },
  ],
  metadata,
  extensions: ['x'],
  referenceTaskIds: ['x'],
};

const messageV03Http = {
  messageId: 'message',
  contextId: 'context',
  role: 'ROLE_USER',
  content: [
    { text: 'x', metadata },
    { file: { fileWithBytes: 'eA==', name: 'x', mimeType: 'text/plain' } },
    { data: { data: { a: 1 } } },
  ],
  metadata,
  extensions: ['x'],
};

const messageV01 = {
  role: 'user',
  parts: [
    { type: 'text', text: 'x', metadata },
    { type: 'file', file: { uri: 'https://x.example', mimeType: 'text/plain' } },
    { type: 'data', data: { a: 1 } },
  ],
  metadata,
};

const rpcCalls: Readonly<Record<string, unknown>> = {
  'message/send': {
    message: messageV03,
    configuration: { blocking: false, historyLength: 1, acceptedOutputModes: ['x'] },
    metadata,
  },
  'tasks/get': { id: randomUUID(), historyLength: 1 },
  'tasks/cancel': { id: 'name', metadata },
  'tasks/send': {
    id: 'name',
    sessionId: 'context',
    message: messageV01,
    acceptedOutputModes: ['x'],
    historyLength: 1,
    metadata,
  },
};

describe('garbage for older versions over JSON-RPC', () => {
  it.each(Object.entries(rpcCalls))(
    'in any field of %s is answered as JSON-RPC, never with 5xx',
    async (method, params) => {
      await inTurns(mutationsOf({ jsonrpc: '2.0', id: 1, method, params }), async (body) => {
        const answer = await send('POST', '', body);
        const code = answer.body.error?.code ?? 0;
        const isAnswered = answer.body.result !== undefined || (code <= -32000 && code !== -32603);
        expect([body, answer.status, isAnswered]).toEqual([body, 200, true]);
      });
    },
    120_000,
  );
});

const httpCalls: readonly (readonly [path: string, valid: unknown])[] = [
  [
    '/message:send',
    {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] },
      configuration: { returnImmediately: true, historyLength: 1 },
      metadata,
    },
  ],
  ['/tasks/x:cancel', { metadata }],
  [
    '/v1/message:send',
    { message: messageV03Http, configuration: { blocking: false, historyLength: 1 }, metadata },
  ],
  ['/v1/tasks/x:cancel', { metadata }],
];

describe('garbage over HTTP+JSON', () => {
  it.each(httpCalls)(
    'in any field of %s is answered in its form, never with 5xx',
    async (path, valid) => {
      await inTurns(mutationsOf(valid), async (body) => {
        const { status, text } = await send('POST', path, body);
        expect([body, status < 500, text.startsWith('{')]).toEqual([body, true, true]);
      });
    },
    120_000,
  );

  it.each(wrongBodies)('as the whole body is refused and changes nothing: %s', async (_, body) => {
    const before = await lastSequence();
    for (const path of ['/message:send', '/message:stream', '/v1/message:send']) {
      const { status } = await send('POST', path, body);
      expect([path, status]).toEqual([path, 400]);
    }
    expect(await lastSequence()).toBe(before);
  });

  it('in a path or a query is answered in its form', async () => {
    for (const path of [
      '/tasks/%00',
      '/tasks/..%2Fx',
      `/tasks/${'x'.repeat(90)}:subscribe`,
      '/tasks/a%3Ab:subscribe',
      '/tasks?status=x',
      '/tasks?pageToken=%00',
      '/tasks?statusTimestampAfter=now',
      '/tasks?__proto__=x&constructor=x',
      '/tasks/x?historyLength=1e3',
      '/v1/tasks/%00',
      '/v1/tasks/x?historyLength=x',
    ]) {
      const { status, body } = await send('GET', path);
      expect([path, status < 500]).toEqual([path, true]);
      if (status !== 200) expect(body).toMatchObject(path.startsWith('/v1') ? {} : { error: {} });
    }
  });
});
