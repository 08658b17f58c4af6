import { errorCatalogue, type Refusal } from './errors.ts';

/** Relay's REST error body (contract §7.1). */
export interface RestError {
  readonly error: {
    readonly status: number;
    readonly code: number;
    readonly message: string;
    readonly retry_after?: number;
    readonly violations?: Refusal['violations'];
  };
  readonly success: false;
  readonly trace_id: string;
}

export function toRestError(refusal: Refusal, traceId: string): RestError {
  const { status, code, message } = errorCatalogue[refusal.error];
  return {
    error: {
      status,
      code,
      message: refusal.message ?? message,
      ...(refusal.retryAfterSeconds ? { retry_after: refusal.retryAfterSeconds } : {}),
      ...(refusal.violations?.length ? { violations: refusal.violations } : {}),
    },
    success: false,
    trace_id: traceId,
  };
}

/** The error member of a JSON-RPC response; `data` holds google.rpc details (A2A 1.0 §9.5). */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

export function toJsonRpcError(refusal: Refusal): JsonRpcError {
  const { code, rpc, reason, message } = errorCatalogue[refusal.error];
  const errorInfo = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: isA2aCode(rpc) ? 'a2a-protocol.org' : 'relay',
    metadata: { code: String(code) },
  };
  const badRequest = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: refusal.violations,
  };
  return {
    code: rpc,
    message: refusal.message ?? message,
    data: refusal.violations?.length ? [errorInfo, badRequest] : [errorInfo],
  };
}

/** HTTP status of a JSON-RPC error: 200 unless the transport itself refused. */
export function jsonRpcStatus(refusal: Refusal): number {
  return errorCatalogue[refusal.error].rpcStatus ?? 200;
}

function isA2aCode(rpc: number): boolean {
  return rpc !== -32000;
}
