import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 5, streamSeconds: 10 } });

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly token?: string;
}

const call = (method: string, path: string, options: CallOptions = {}) =>
  relay.client.send(method, `/${relay.worker.handle}${path}`, {
    token: relay.planner.token,
    ...options,
  });
const stream = (method: string, path: string, options: CallOptions = {}) =>
  relay.client.streamFrom(method, `/${relay.worker.handle}${path}`, {
    token: relay.planner.token,
    ...options,
  });
const rpc = (method: string, params?: unknown) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params });
const setState = (taskId: string, state: string) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/status`, {
    token: relay.worker.token,
    body: { state, message: agentMessage(state) },
  });

async function openTask(): Promise<string> {
  const { body } = await call('POST', '/message:send', {
    body: { message: message(), configuration: atOnce },
  });
  return body.task.id;
}

/** The body of an error. */
const errorBody = (code: number, status: string, reason: string, ...more: object[]) => ({
  error: {
    code,
    status,
    message: expect.any(String),
    details: [
      expect.objectContaining({
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
      }),
      ...more,
    ],
  },
});

describe('A2A 1.0 over HTTP+JSON', () => {
  it('is functionally what JSON-RPC is: the same message, task and list', async () => {
    const sent = message();
    const body = { message: sent, configuration: { return_immediately: true } };
    const overHttp = await call('POST', '/message:send', { body });
    const overRpc = await rpc('SendMessage', body);
    expect(overHttp.body).toEqual(overRpc.body.result);
    const { id } = overHttp.body.task;
    expect((await call('GET', `/tasks/${id}`)).body).toEqual(
      (await rpc('GetTask', { id })).body.result,
    );
    const query = 'pageSize=2&status=TASK_STATE_SUBMITTED&includeArtifacts=true&historyLength=1';
    const list = { pageSize: 2, status: 1, includeArtifacts: true, historyLength: 1 };
    expect((await call('GET', `/tasks?${query}`)).body).toEqual(
      (await rpc('ListTasks', list)).body.result,
    );
    const canceled = await call('POST', `/tasks/${id}:cancel`);
    expect(canceled.body).toEqual((await rpc('GetTask', { id })).body.result);
    expect(canceled.body).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
  });

  it('waits for the answer', async () => {
    const sent = message();
    const waiting = call('POST', '/message:send', { body: { message: sent } });
    const { body } = await call('POST', '/message:send', {
      body: { message: sent, configuration: atOnce },
    });
    await setState(body.task.id, 'COMPLETED');
    expect((await waiting).body.task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('streams events without an envelope, with revisions as ids', async () => {
    const events = await stream('POST', '/message:stream', { body: { message: message() } });
    const first = await events.next();
    expect(first).toMatchObject({ id: '1', data: { task: { status: {} } } });
    const taskId = first?.data.task?.id ?? '';
    await setState(taskId, 'INPUT_REQUIRED');
    expect(await events.next()).toMatchObject({
      id: '2',
      data: { statusUpdate: { taskId, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
    });
    await setState(taskId, 'COMPLETED');
    expect(await events.rest()).toMatchObject([{ id: '3', data: { statusUpdate: {} } }]);
  });

  it.each(['GET', 'POST'])('subscribes by %s, and resumes', async (method) => {
    const id = await openTask();
    const events = await stream(method, `/tasks/${id}:subscribe`);
    expect(await events.next()).toMatchObject({ id: '1', data: { task: { id } } });
    await setState(id, 'WORKING');
    await setState(id, 'COMPLETED');
    expect((await events.rest()).map((event) => event.id)).toEqual(['2', '3']);
    const headers = { 'last-event-id': '2' };
    const resumed = await stream(method, `/tasks/${id}:subscribe`, { headers });
    expect((await resumed.rest()).map((event) => event.id)).toEqual(['3']);
    const finished = await call(method, `/tasks/${id}:subscribe`);
    expect([finished.status, finished.body]).toEqual([
      400,
      errorBody(400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'),
    ]);
  });

  it('ends a stream whose token is revoked with an event that says so', async () => {
    const agent = await relay.client.createAgent();
    const path = `/${relay.worker.handle}/message:stream`;
    const body = { message: message() };
    const events = await relay.client.streamFrom('POST', path, { token: agent.token, body });
    await events.next();
    await relay.client.revokeTokens(agent);
    expect(await events.rest()).toMatchObject([
      { event: 'error', data: { error: { code: 401, status: 'UNAUTHENTICATED' } } },
    ]);
  });

  it.each([
    [{}, 'application/a2a+json'],
    [{ accept: 'application/json' }, 'application/json'],
    [{ accept: '*/*' }, 'application/a2a+json'],
  ])('answers a read with %j as %s', async (headers, type) => {
    const options = { headers: { accept: '*/*', ...headers } };
    const found = await call('GET', `/tasks/${await openTask()}`, options);
    expect(found.headers.get('content-type')).toBe(type);
    const missing = await call('GET', `/tasks/${randomUUID()}`, options);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, type]);
  });

  it.each([
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/a2a+json', 'application/a2a+json'],
  ])('takes a body as %s and answers it as %s', async (contentType, type) => {
    const { status, headers } = await call('POST', '/message:send', {
      body: { message: message(), configuration: atOnce },
      headers: { 'content-type': contentType },
    });
    expect([status, headers.get('content-type')]).toEqual([200, type]);
  });

  it('refuses a body of another type, or none', async () => {
    const other = await call('POST', '/message:send', {
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect([other.status, other.body]).toEqual([
      400,
      errorBody(400, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'),
    ]);
    for (const body of [undefined, '', '{', '[]', '{}', 'null']) {
      const { status } = await call('POST', '/message:send', body === undefined ? {} : { body });
      expect([body, status]).toEqual([body, 400]);
    }
  });

  it.each(['/message%3Asend', '/message%3asend', '/v1/message%3Asend'])(
    'takes the colon of a path however it is written: %s',
    async (path) => {
      const current = { message: message(), configuration: atOnce };
      const older = {
        message: { messageId: randomUUID(), role: 'ROLE_USER', content: [{ text: 'x' }] },
        configuration: { blocking: false },
      };
      const body = path.startsWith('/v1') ? older : current;
      const sent = await call('POST', path, { body });
      expect(sent.status).toBe(200);
      const canceled = await call('POST', `/tasks/${sent.body.task.id}%3Acancel`);
      expect(canceled.body).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    },
  );

  it('names the fields that are wrong, in bodies and queries', async () => {
    const badRequest = (field: string) =>
      errorBody(400, 'INVALID_ARGUMENT', 'INVALID_PARAMS', {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field, description: expect.any(String) }],
      });
    const body = { message: message('x', { parts: [{}] }) };
    const sent = await call('POST', '/message:send', { body });
    expect(sent.body).toEqual(badRequest('message.parts.0'));
    for (const [query, field] of [
      ['pageSize=0', 'pageSize'],
      ['pageSize=101', 'pageSize'],
      ['status=WORKING', 'status'],
      ['includeArtifacts=yes', 'includeArtifacts'],
      ['historyLength=-1', 'historyLength'],
      ['pageSize=1&pageSize=2', 'pageSize'],
    ] as const) {
      const listed = await call('GET', `/tasks?${query}`);
      expect([query, listed.status, listed.body]).toEqual([query, 400, badRequest(field)]);
    }
  });

  it('answers a bad token in its form', async () => {
    const answer = await call('GET', '/tasks', { token: 'unknown' });
    expect([answer.status, answer.body]).toEqual([
      401,
      errorBody(401, 'UNAUTHENTICATED', 'UNAUTHENTICATED'),
    ]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([randomUUID(), 'x', 'x:y', '%00'])('does not find the task %j', async (id) => {
    const answer = await call('GET', `/tasks/${id}`);
    expect([answer.status, answer.body]).toEqual([
      404,
      errorBody(404, 'NOT_FOUND', 'TASK_NOT_FOUND'),
    ]);
  });

  it('answers for an unknown handle in its form, below /a2a too', async () => {
    for (const prefix of ['', '/a2a']) {
      const answer = await relay.client.send('GET', `${prefix}/no_such_agent/tasks`, {
        token: relay.planner.token,
      });
      expect([answer.status, answer.body]).toEqual([
        404,
        errorBody(404, 'NOT_FOUND', 'AGENT_NOT_FOUND'),
      ]);
    }
  });

  it.each([['GET', '/extendedAgentCard', 'UNSUPPORTED_OPERATION']])(
    'answers %s %s as not supported',
    async (method, path, reason) => {
      const answer = await call(method, path);
      expect([answer.status, answer.body]).toEqual([
        400,
        errorBody(400, 'FAILED_PRECONDITION', reason),
      ]);
    },
  );

  it('refuses to cancel a task that is done, and cancels twice', async () => {
    const id = await openTask();
    await setState(id, 'COMPLETED');
    const done = await call('POST', `/tasks/${id}:cancel`, { body: { metadata: {} } });
    expect([done.status, done.body]).toEqual([
      400,
      errorBody(400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'),
    ]);
    const open = await openTask();
    for (const _ of [1, 2]) {
      const canceled = await call('POST', `/tasks/${open}:cancel`);
      expect(canceled.body).toMatchObject({ id: open, status: { state: 'TASK_STATE_CANCELED' } });
    }
  });

  it.each([
    ['1.0', 200],
    ['0.3', 200],
    ['99.0', 400],
  ])('answers a request for version %s with %i', async (version, status) => {
    const answer = await call('GET', '/tasks', { headers: { 'a2a-version': version } });
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(answer.body).toEqual(errorBody(400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'));
    }
  });

  it('gives agents the extended card of one that has more skills', async () => {
    const extended_skills = [{ id: 'more', name: 'More', description: 'For agents', tags: ['x'] }];
    const agent = await relay.client.createAgent({ extended_skills });
    for (const prefix of ['', '/a2a']) {
      const address = `${prefix}/${agent.handle}`;
      const { token } = relay.planner;
      const extended = await relay.client.send('GET', `${address}/extendedAgentCard`, { token });
      expect(extended.headers.get('cache-control')).toContain('private');
      const current = { 'a2a-version': '1.0' };
      const open = await relay.client.send('GET', `${address}/agent-card.json`, {
        headers: current,
      });
      expect(open.body).toMatchObject({ capabilities: { extendedAgentCard: true }, skills: [] });
      expect(extended.body).toEqual({ ...open.body, skills: extended_skills });
      const older = await relay.client.send('GET', `${address}/v1/card`, { token });
      expect(older.body).toMatchObject({
        protocolVersion: '0.3.0',
        supportsAuthenticatedExtendedCard: true,
        security: [{ schemes: { relay: { list: [] } } }],
        skills: extended_skills,
      });
    }
  });
});
