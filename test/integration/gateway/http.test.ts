import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const logLines: string[] = [];
const relay = useGateway({ onLog: (line) => void logLines.push(line) });

interface RawAnswer {
  readonly status: number;
  readonly body: {
    readonly error?: { readonly code: number };
    readonly success?: boolean;
    readonly jsonrpc?: string;
  };
}

/** Bytes as they are on the wire: what no HTTP client would send. */
async function sendRaw(lines: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(relay.gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(head.split(' ', 2)[1]),
    body: JSON.parse(rest.join('\r\n\r\n') || '{}'),
  };
}

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  relay.client.send(method, path, { token: relay.planner.token, body, headers });

describe('what HTTP itself refuses', () => {
  const huge = `X-Huge: ${'x'.repeat(100_000)}`;

  it.each([
    ['a path that cannot be decoded', ['POST /%zz HTTP/1.1', 'Host: x', 'Content-Length: 0'], 404],
    ['a path that is too long', [`POST /${'a'.repeat(5_000)} HTTP/1.1`, 'Host: x'], 404],
    ['headers that are too large', ['POST /agent_x HTTP/1.1', 'Host: x', huge], 400],
    ['a method that is none', ['SEND /agent_x HTTP/1.1', 'Host: x'], 400],
    ['a method that is not served', ['PUT /agent_x HTTP/1.1', 'Host: x'], 404],
    [
      'two lengths',
      ['POST /agent_x HTTP/1.1', 'Host: x', 'Content-Length: 1', 'Content-Length: 2'],
      400,
    ],
  ])('at an address answers %s as JSON-RPC', async (_what, lines, status) => {
    const answer = await sendRaw(lines);
    expect([answer.status, answer.body.jsonrpc]).toEqual([status, '2.0']);
    expect(answer.body.error?.code).toBeLessThan(0);
  });

  it.each([
    ['a path that cannot be decoded', ['GET /v1/tasks/%zz HTTP/1.1', 'Host: x'], 404],
    ['a path that is too long', [`GET /v1/tasks/${'a'.repeat(5_000)} HTTP/1.1`, 'Host: x'], 404],
    ['headers that are too large', ['GET /v1/me HTTP/1.1', 'Host: x', huge], 400],
    ['a method that is none', ['SEND /v1/me HTTP/1.1', 'Host: x'], 400],
    ['a method that is not served', ['PUT /v1/me HTTP/1.1', 'Host: x'], 404],
    ['no HTTP at all', ['hello'], 400],
  ])("below /v1 answers %s in Relay's form", async (_what, lines, status) => {
    const answer = await sendRaw(lines);
    expect([answer.status, answer.body.success]).toEqual([status, false]);
    expect(answer.body.error?.code).toBeGreaterThan(0);
  });
});

describe('bodies', () => {
  const large = 'x'.repeat(10 * 1024 * 1024);

  it('are refused past the limit', async () => {
    const rpc = await send('POST', `/${relay.worker.handle}`, large);
    expect([rpc.status, rpc.body.error.code, rpc.body.id]).toEqual([413, -32600, null]);
    const rest = await send('POST', '/v1/tasks', large);
    expect([rest.status, rest.body.error.code]).toEqual([413, 1005]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ';'])(
    'are refused as %j',
    async (type) => {
      const headers = { 'content-type': type };
      const address = `/${relay.worker.handle}`;
      const reason = { reason: 'CONTENT_TYPE_NOT_SUPPORTED', domain: 'a2a-protocol.org' };
      const rpc = await send('POST', address, '{}', headers);
      expect([rpc.status, rpc.body.error]).toMatchObject([415, { code: -32005, data: [reason] }]);
      const http = await send('POST', `${address}/message:send`, '{}', {
        ...headers,
        'a2a-version': '1.0',
      });
      expect([http.status, http.body.error]).toMatchObject([400, { code: 400, details: [reason] }]);
      const rest = await send('POST', '/v1/tasks', '{}', headers);
      expect([rest.status, rest.body.error.code]).toEqual([415, 1005]);
    },
  );

  it.each([
    ['no JSON', '{"a":'],
    ['nothing', ''],
    ['bytes that are no UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['a byte order mark', '\ufeff{}'],
  ])('are refused that hold %s', async (_what, body) => {
    const rpc = await send('POST', `/${relay.worker.handle}`, body);
    expect([rpc.status, rpc.body.error.code, rpc.body.id]).toEqual([200, -32700, null]);
    const rest = await send('POST', '/v1/tasks', body);
    expect([rest.status, rest.body.error.code]).toEqual([400, 1005]);
  });

  it('may say their character set, and offer an upgrade that nobody takes', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: message(), configuration: atOnce },
    });
    const answer = await sendRaw(
      [
        `POST /${relay.worker.handle} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${relay.planner.token}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${body.length}`,
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      ],
      body,
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ result: expect.anything() }),
    ]);
  });
});

describe('other paths', () => {
  it.each(['/', '/v1', '/v1/nothing', '/console', '/agent_x/nothing', '/a2a'])(
    "answer GET %s with 404 in Relay's form",
    async (path) => {
      const { status, body } = await send('GET', path);
      expect([status, body.error.code]).toEqual([404, 2001]);
      expect(body).toMatchObject({
        success: false,
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    },
  );

  it('tell that the relay lives and is ready', async () => {
    expect((await send('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await send('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });

  it('pass a WebSocket on to delivery, and no other upgrade', async () => {
    const upgrade = ['Host: x', 'Upgrade: websocket', 'Connection: Upgrade'];
    const passed = await sendRaw(['GET /v1/websocket?observe=true HTTP/1.1', ...upgrade]);
    expect(passed.status).toBe(418);
    const other = await sendRaw(['GET /v1/other HTTP/1.1', ...upgrade]);
    expect([other.status, other.body.success]).toEqual([404, false]);
  });
});

const lineOf = (traceId: string) => logLines.find((line) => line.includes(traceId));

describe('the log', () => {
  it('has one line for each request, without bodies and tokens', async () => {
    const secret = 'the-secret-text';
    const traceId = 'c'.repeat(32);
    const answer = await relay.client.rpc({
      from: relay.planner,
      to: relay.worker,
      method: 'SendMessage',
      params: { message: message(secret), configuration: atOnce },
      headers: { traceparent: `00-${traceId}-${'d'.repeat(16)}-01` },
    });
    await expect.poll(() => lineOf(traceId)).toBeDefined();
    expect(JSON.parse(logLines.findLast((line) => line.includes('"request"')) ?? '')).toMatchObject(
      {
        level: 'info',
        msg: 'request',
        method: 'POST',
        route: '/:handle',
        handle: relay.worker.handle,
        agentId: relay.planner.id,
        taskId: answer.body.result.task.id,
        rpcMethod: 'SendMessage',
        outcome: 'done',
        status: 200,
        durationMs: expect.any(Number),
        traceId,
      },
    );
    expect(logLines.join('')).not.toContain(secret);
    expect(logLines.join('')).not.toContain(relay.planner.token);
  });

  it('says why a request was refused', async () => {
    const traceId = 'e'.repeat(32);
    await send('GET', '/v1/nothing', undefined, {
      traceparent: `00-${traceId}-${'d'.repeat(16)}-01`,
    });
    await expect.poll(() => lineOf(traceId)).toContain('"outcome":"notFound"');
  });

  it('says that a client went away, whose wait is over then', async () => {
    const traceId = 'f'.repeat(32);
    const abort = new AbortController();
    const sent = message();
    const waiting = relay.client.send('POST', `/${relay.worker.handle}`, {
      token: relay.planner.token,
      body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: sent } },
      headers: { traceparent: `00-${traceId}-${'d'.repeat(16)}-01` },
      signal: abort.signal,
    });
    await expect
      .poll(() =>
        logLines.some((line) => line.includes('command.handled') && line.includes(traceId)),
      )
      .toBe(true);
    abort.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await expect
      .poll(() => logLines.find((line) => line.includes(traceId) && line.includes('"request"')))
      .toContain('"outcome":"disconnected"');
    const again = await relay.client.rpc({
      from: relay.planner,
      to: relay.worker,
      method: 'SendMessage',
      params: { message: sent, configuration: atOnce },
    });
    expect(again.body.result.task.status.state).toBe('TASK_STATE_SUBMITTED');
  });
});
