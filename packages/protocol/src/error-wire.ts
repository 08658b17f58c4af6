import { z } from 'zod';
import { errorCatalogue, fieldViolationSchema, type Refusal } from './errors.ts';
import type { Immutable } from './immutable.ts';

const codes = new Set(Object.values(errorCatalogue).map(({ code }) => code));

/** Relay's REST error body (contract §7.1). */
export const restErrorSchema = z
  .object({
    error: z.object({
      status: z.int().meta({ description: 'The HTTP status.' }),
      code: z.literal([...codes]).meta({ description: "Relay's own code, to branch on." }),
      message: z.string().meta({ description: 'For people; it may change.' }),
      retry_after: z.int().positive().optional().meta({ description: 'Seconds.' }),
      violations: z.array(fieldViolationSchema).optional(),
    }),
    success: z.literal(false),
    trace_id: z.string(),
  })
  .meta({ id: 'Error' });
export type RestError = Immutable<z.infer<typeof restErrorSchema>>;

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
export const jsonRpcErrorSchema = z
  .object({
    code: z.int(),
    message: z.string().meta({ description: 'For people; it may change.' }),
    data: z.array(z.record(z.string(), z.unknown())).meta({
      description:
        "A google.rpc.ErrorInfo with `reason`, `domain` and, as text, Relay's own code in " +
        '`metadata.code`; then a google.rpc.BadRequest where fields were wrong.',
    }),
  })
  .meta({ id: 'JsonRpcError' });
export type JsonRpcError = Immutable<z.infer<typeof jsonRpcErrorSchema>>;

export function toJsonRpcError(refusal: Refusal): JsonRpcError {
  const { code, rpc, reason, message } = errorCatalogue[refusal.error];
  const errorInfo = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: isA2aCode(rpc) ? 'a2a-protocol.org' : 'relay',
    metadata: { code: String(code), ...refusal.metadata },
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
