import { describe, expect, it } from 'vitest';
import {
  type ErrorKey,
  errorCatalogue,
  jsonRpcStatus,
  toJsonRpcError,
  toRestError,
} from './index.ts';

const isErrorKey = (key: string): key is ErrorKey => Object.hasOwn(errorCatalogue, key);
const keys = Object.keys(errorCatalogue).filter(isErrorKey);

describe('each refusal', () => {
  it.each(keys)('%s has a form on every wire', (error) => {
    const { status, code } = errorCatalogue[error];
    expect(toRestError({ error }, 'trace')).toMatchObject({
      error: { status, code, message: expect.stringMatching(/\.$/) },
      success: false,
      trace_id: 'trace',
    });
    expect(toJsonRpcError({ error })).toMatchObject({
      message: expect.stringMatching(/\.$/),
      data: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: { code: `${code}` } },
      ],
    });
  });

  it('answers 200 on JSON-RPC unless the transport itself refuses', () => {
    const others = keys.filter((error) => jsonRpcStatus({ error }) !== 200);
    expect(new Set(others.map((error) => jsonRpcStatus({ error })))).toEqual(
      new Set([401, 404, 413, 415, 429, 503]),
    );
  });

  it('says in which domain its reason is', () => {
    const domainOf = (error: ErrorKey) => toJsonRpcError({ error }).data[0]?.['domain'];
    expect(domainOf('taskNotFound')).toBe('a2a-protocol.org');
    expect(domainOf('notMessageable')).toBe('relay');
  });

  it('lists what is wrong as google.rpc.BadRequest', () => {
    const violations = [{ field: 'message.parts', description: 'none' }];
    expect(toJsonRpcError({ error: 'invalidParams', violations }).data[1]).toEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: violations,
    });
  });
});
