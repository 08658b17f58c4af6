import { toJsonRpcError, toRestError } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { errorFromAnswer, isTransient, RelayRequestError } from './request-error.ts';

describe('errorFromAnswer', () => {
  it("reads Relay's REST errors", () => {
    const body = toRestError({ error: 'taskFinished' }, 'trace');
    expect(errorFromAnswer(409, undefined, body)).toMatchObject({
      message: 'This task is already finished.',
      status: 409,
      code: 2034,
      rpcCode: undefined,
      traceId: 'trace',
    });
  });

  it('reads JSON-RPC errors', () => {
    const body = { jsonrpc: '2.0', id: '1', error: toJsonRpcError({ error: 'notMessageable' }) };
    expect(errorFromAnswer(200, undefined, body)).toMatchObject({
      message: "This agent can't be messaged.",
      status: 200,
      code: 2031,
      rpcCode: -32000,
      reason: 'NOT_MESSAGEABLE',
    });
  });

  it('takes the wait from the header, else from the body', () => {
    const body = toRestError({ error: 'unavailable', retryAfterSeconds: 3 }, 'trace');
    expect(errorFromAnswer(503, '7', body).retryAfter).toBe(7);
    expect(errorFromAnswer(503, undefined, body).retryAfter).toBe(3);
    expect(errorFromAnswer(503, 'Wed, 21 Oct 2026 07:28:00 GMT', body).retryAfter).toBe(3);
  });

  it.each([undefined, null, 'Bad Gateway', [], { error: 'text' }])(
    'takes %j from a proxy',
    (body) => {
      expect(errorFromAnswer(502, undefined, body)).toMatchObject({
        message: 'Relay answered HTTP 502.',
        status: 502,
        code: undefined,
      });
    },
  );
});

describe('isTransient', () => {
  it.each([
    [{}, true],
    [{ status: 429 }, true],
    [{ status: 500 }, true],
    [{ status: 503 }, true],
    [{ status: 200, rpcCode: -32603, reason: 'UNAVAILABLE' }, true],
    [{ status: 200, rpcCode: -32603, reason: 'DEADLINE_EXCEEDED' }, false],
    [{ status: 400 }, false],
    [{ status: 401 }, false],
    [{ status: 409, code: 2034 }, false],
  ])('%j: %j', (failure, expected) => {
    expect(isTransient(new RelayRequestError('failed', failure))).toBe(expected);
  });

  it('holds for nothing else', () => {
    expect(isTransient(new TypeError('a bug'))).toBe(false);
  });
});
