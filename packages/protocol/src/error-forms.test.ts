import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ErrorKey,
  errorCatalogue,
  httpJsonStatus,
  type JsonRpcError,
  type Refusal,
  toHttpJsonError,
  toJsonRpcError,
} from './index.ts';

const isErrorKey = (key: string): key is ErrorKey => Object.hasOwn(errorCatalogue, key);
const keys = Object.keys(errorCatalogue).filter(isErrorKey);

const text = fc.string({ minLength: 1, maxLength: 20 });
const refusal: fc.Arbitrary<Refusal> = fc.record({
  error: fc.constantFrom(...keys),
  message: fc.option(text, { nil: undefined }),
  violations: fc.option(
    fc.array(fc.record({ field: text, description: text }), { minLength: 1, maxLength: 3 }),
    { nil: undefined },
  ),
  metadata: fc.option(
    fc.dictionary(
      text.filter((key) => key !== 'code' && key !== '__proto__'),
      text,
    ),
    { nil: undefined },
  ),
});

/** What a client makes of an error, from its message and its details. */
function read(message: string, details: JsonRpcError['data']) {
  const [info, badRequest] = details;
  expect(info?.['@type']).toBe('type.googleapis.com/google.rpc.ErrorInfo');
  if (badRequest) expect(badRequest['@type']).toBe('type.googleapis.com/google.rpc.BadRequest');
  return {
    message,
    reason: info?.['reason'],
    metadata: info?.['metadata'],
    violations: badRequest?.['fieldViolations'],
  };
}

/** What there is to be carried of a refusal. */
function carried({ error, message, violations, metadata }: Refusal) {
  const { code, reason, message: usual } = errorCatalogue[error];
  return {
    message: message ?? usual,
    reason,
    metadata: { code: String(code), ...metadata },
    violations,
  };
}

/** HTTP statuses by names of google.rpc.Code; A2A has 404 for methods that are not there. */
const statuses: Readonly<Record<string, readonly number[]>> = {
  INVALID_ARGUMENT: [400, 415],
  FAILED_PRECONDITION: [400],
  OUT_OF_RANGE: [413],
  UNAUTHENTICATED: [401],
  PERMISSION_DENIED: [403],
  NOT_FOUND: [404],
  UNIMPLEMENTED: [404],
  RESOURCE_EXHAUSTED: [429],
  INTERNAL: [500],
  UNAVAILABLE: [503],
  DEADLINE_EXCEEDED: [504],
};

describe('an error', () => {
  it('carries its reason, code, metadata and wrong fields over JSON-RPC', () => {
    fc.assert(
      fc.property(refusal, (value) => {
        const { code, message, data } = toJsonRpcError(value);
        expect(code).toBe(errorCatalogue[value.error].rpc);
        expect(read(message, data)).toEqual(carried(value));
      }),
    );
  });

  it('carries the same over HTTP+JSON, with its HTTP status', () => {
    fc.assert(
      fc.property(refusal, (value) => {
        const { code, message, details } = toHttpJsonError(value).error;
        expect(code).toBe(httpJsonStatus(value));
        expect(read(message, details)).toEqual(carried(value));
      }),
    );
  });

  it.each(keys)('has a name that fits its HTTP status: %s', (error) => {
    const { code, status } = toHttpJsonError({ error }).error;
    expect([error, status, statuses[status]]).toEqual([
      error,
      status,
      expect.arrayContaining([code]),
    ]);
  });
});
