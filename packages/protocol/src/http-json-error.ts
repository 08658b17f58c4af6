import { z } from 'zod';
import { jsonRpcErrorSchema, toJsonRpcError } from './error-wire.ts';
import { errorCatalogue, type Refusal } from './errors.ts';
import type { Immutable } from './immutable.ts';

/** JSON-RPC codes of A2A's own errors that are failed preconditions (A2A 1.0.1 §5.4). */
const failedPreconditions: ReadonlySet<number> = new Set([-32002, -32003, -32004, -32007, -32009]);

/** Canonical names of google.rpc.Code by HTTP status. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'OUT_OF_RANGE',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The error body of A2A's HTTP+JSON binding: google.rpc.Status (A2A 1.0.1 §11.6). */
export const httpJsonErrorSchema = z
  .object({
    error: z.object({
      code: z.int().meta({ description: 'The HTTP status.' }),
      status: z.string().meta({ description: 'A name of google.rpc.Code.' }),
      message: jsonRpcErrorSchema.shape.message,
      details: jsonRpcErrorSchema.shape.data,
    }),
  })
  .meta({ id: 'HttpJsonError' });
export type HttpJsonError = Immutable<z.infer<typeof httpJsonErrorSchema>>;

export function toHttpJsonError(refusal: Refusal): HttpJsonError {
  const { message, data } = toJsonRpcError(refusal);
  const code = httpJsonStatus(refusal);
  return { error: { code, status: statusNameOf(refusal, code), message, details: data } };
}

/** HTTP status of an error over HTTP+JSON: A2A has one for each of its own errors. */
export function httpJsonStatus({ error }: Refusal): number {
  const { rpc, status, rpcStatus } = errorCatalogue[error];
  const isOfA2a = rpc < -32000 && rpc > -32100;
  const isOfTransport = rpc === -32000 || rpc === -32603 || rpcStatus !== undefined;
  if ((isOfTransport && !isOfA2a) || status === 404) return status;
  return 400;
}

function statusNameOf({ error }: Refusal, httpStatus: number): string {
  const { rpc } = errorCatalogue[error];
  if (rpc === -32601) return 'UNIMPLEMENTED';
  if (failedPreconditions.has(rpc)) return 'FAILED_PRECONDITION';
  return statusNames[httpStatus] ?? 'INVALID_ARGUMENT';
}
