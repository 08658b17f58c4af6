import { describe, expect, it } from 'vitest';
import { adminToken, startTestGateway } from '../../support/gateway.ts';
import { atOnce, GatewayClient, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const send = (
  path: string,
  options: { token?: string; headers?: Record<string, string>; body?: unknown },
) => relay.client.send('POST', path, { body: request('GetTask', { id: 'x' }), ...options });
const request = (method: string, params?: unknown, fields: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 'mine',
  method,
  params,
  ...fields,
});

describe('an A2A address', () => {
  it('is the handle, also below /a2a and with a slash', async () => {
    for (const form of ['/', '/a2a/']) {
      for (const slash of ['', '/']) {
        const answer = await send(`${form}${relay.worker.handle}${slash}`, {
          token: relay.planner.token,
          body: request('SendMessage', { message: message(), configuration: atOnce }),
        });
        expect(answer.body.result).toHaveProperty('task');
      }
    }
  });

  it.each([
    ['no token', undefined],
    ['an unknown token', 'relay_agent_unknown'],
    ['the administrator', adminToken],
  ])('answers %s with 401 and the id of the request', async (_who, token) => {
    const answer = await send(`/${relay.worker.handle}`, token ? { token } : {});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      error: {
        code: -32000,
        message: 'Bearer authentication is required.',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'UNAUTHENTICATED',
            domain: 'relay',
            metadata: { code: '2004' },
          },
        ],
      },
    });
  });

  it('answers authentication failures with 200 where it is set to', async () => {
    const { nats, redis } = relay;
    const config = { a2aAuthErrors: 200 } as const;
    const gateway = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url, config });
    const client = new GatewayClient(gateway.url);
    const answer = await client.send('POST', `/${relay.worker.handle}`, {
      body: request('GetTask'),
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: 'mine', error: { code: -32000 } });
    expect((await client.send('GET', '/v1/me')).status).toBe(401);
    await gateway.close();
  });

  it('checks the token before the handle, and the handle before the request', async () => {
    expect((await send('/no_such_agent', { body: '{' })).status).toBe(401);
    const unknown = await send('/no_such_agent', { token: relay.planner.token, body: '{' });
    expect(unknown.status).toBe(404);
    expect(unknown.body.error).toMatchObject({
      code: -32000,
      data: [{ metadata: { code: '2001' } }],
    });
    const unreadable = await send(`/${relay.worker.handle}`, {
      token: relay.planner.token,
      body: '{',
    });
    expect(unreadable.status).toBe(200);
    expect(unreadable.body).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('takes the Bearer scheme in any case', async () => {
    const answer = await send(`/${relay.worker.handle}`, {
      headers: { authorization: `bearer  ${relay.planner.token}` },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['1.0', true],
    ['1.0.1', true],
    ['0.3', true],
    ['0.3.0', true],
    ['', true],
    ['1', false],
    ['1.1', false],
    ['0.2', false],
    ['99.0', false],
    ['x', false],
  ])('speaks version %j: %s', async (version, isSpoken) => {
    const code = isSpoken ? -32001 : -32009;
    const options = { token: relay.planner.token };
    const headers = { 'a2a-version': version };
    const byHeader = await send(`/${relay.worker.handle}`, { ...options, headers });
    expect(byHeader.body.error.code).toBe(code);
    const byQuery = await send(`/${relay.worker.handle}?A2A-Version=${version}`, options);
    expect(byQuery.body.error.code).toBe(code);
  });

  it.each([
    ['tasks/list', -32601],
    ['sendMessage', -32601],
    ['constructor', -32601],
    ['__proto__', -32601],
    ['', -32601],
    ['CreateTaskPushNotificationConfig', -32602],
    ['GetTaskPushNotificationConfig', -32602],
    ['ListTaskPushNotificationConfigs', -32602],
    ['DeleteTaskPushNotificationConfig', -32602],
    ['GetExtendedAgentCard', -32004],
  ])('answers the method %j with %i', async (method, code) => {
    const answer = await send(`/${relay.worker.handle}`, {
      token: relay.planner.token,
      body: request(method),
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: 'mine', error: { code } });
  });

  it.each([
    ['text', 'text'],
    [7, 7],
    [0, 0],
    [1.5, 1.5],
    [null, null],
    [undefined, null],
  ])('echoes the id %j as %j', async (id, echoed) => {
    const answer = await send(`/${relay.worker.handle}`, {
      token: relay.planner.token,
      body: request('NoSuchMethod', {}, { id }),
    });
    expect(answer.body.id).toBe(echoed);
  });

  it('takes a field by its JSON name or its proto name, not by both', async () => {
    const { messageId, ...rest } = message();
    const configuration = { return_immediately: true };
    const options = { token: relay.planner.token };
    const byProtoName = await send(`/${relay.worker.handle}`, {
      ...options,
      body: request('SendMessage', { message: { ...rest, message_id: messageId }, configuration }),
    });
    expect(byProtoName.body.result.task.history?.[0]?.messageId).toBe(messageId);
    const twice = await send(`/${relay.worker.handle}`, {
      ...options,
      body: request('SendMessage', {
        message: { ...rest, messageId, message_id: messageId },
        configuration,
      }),
    });
    expect(twice.body.error).toMatchObject({
      code: -32602,
      data: [{}, { fieldViolations: [{ field: 'message.messageId' }] }],
    });
  });
});
