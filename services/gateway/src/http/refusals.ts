import {
  errorCatalogue,
  type JsonRpcId,
  jsonRpcStatus,
  type Refusal,
  RelayError,
  type TraceId,
  toJsonRpcError,
  toRestError,
} from '@relay/protocol';
import type { CallerForm } from './caller-form.ts';

/** An error as it goes over the wire, in the caller's own form. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ErrorPlace {
  readonly form: CallerForm;
  readonly rpcId: JsonRpcId;
  readonly traceId: TraceId;
}

export function toErrorAnswer(refusal: Refusal, { form, rpcId, traceId }: ErrorPlace): ErrorAnswer {
  const isRpc = form === 'json-rpc';
  const retryAfter = refusal.retryAfterSeconds ?? (refusal.error === 'unavailable' ? 1 : undefined);
  return {
    status: isRpc ? jsonRpcStatus(refusal) : errorCatalogue[refusal.error].status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(refusal.error === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: isRpc ? toRpcErrorBody(rpcId, refusal) : JSON.stringify(toRestError(refusal, traceId)),
  };
}

export function toRpcErrorBody(id: JsonRpcId, refusal: Refusal): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: toJsonRpcError(refusal) });
}

/** What a thrown error tells the caller. What is not a refusal is a fault of Relay and told as such. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RelayError) return error.refusal;
  const { code, statusCode = 500 } = readHttpError(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { error: 'bodyTooLarge' };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return { error: 'mediaTypeNotSupported' };
  if (statusCode < 500) {
    return { error: 'invalidRequest', message: 'The request could not be read.' };
  }
  return { error: 'internal' };
}

function readHttpError(error: unknown): { code?: unknown; statusCode?: number } {
  if (!(error instanceof Error)) return {};
  return {
    ...('code' in error ? { code: error.code } : {}),
    ...('statusCode' in error && typeof error.statusCode === 'number'
      ? { statusCode: error.statusCode }
      : {}),
  };
}
