import {
  errorCatalogue,
  httpJsonStatus,
  type JsonRpcId,
  jsonRpcStatus,
  jsonRpcText,
  type Refusal,
  RelayError,
  type TraceId,
  toHttpJsonError,
  toJsonRpcError,
  toRestError,
} from '@relay/protocol';
import type { CallerForm } from './caller-form.ts';
import type { A2aMediaType } from './media-types.ts';

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
  /** Of an answer over A2A's HTTP+JSON. */
  readonly mediaType?: A2aMediaType;
}

export function toErrorAnswer(refusal: Refusal, place: ErrorPlace): ErrorAnswer {
  const retryAfter = refusal.retryAfterSeconds ?? (refusal.error === 'unavailable' ? 1 : undefined);
  const { contentType = 'application/json; charset=utf-8', ...answer } = inForm(refusal, place);
  return {
    ...answer,
    headers: {
      'content-type': contentType,
      ...(refusal.error === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  };
}

function inForm(
  refusal: Refusal,
  { form, rpcId, traceId, mediaType = 'application/a2a+json' }: ErrorPlace,
): { readonly status: number; readonly body: string; readonly contentType?: string } {
  switch (form) {
    case 'json-rpc':
      return { status: jsonRpcStatus(refusal), body: toRpcErrorBody(rpcId, refusal) };
    case 'http-json':
      return {
        status: httpJsonStatus(refusal),
        body: JSON.stringify(toHttpJsonError(refusal)),
        contentType: mediaType,
      };
    case 'http-json-v03':
      return {
        status: httpJsonStatus(refusal),
        body: JSON.stringify(toJsonRpcError(refusal)),
      };
    case 'rest':
      return {
        status: errorCatalogue[refusal.error].status,
        body: JSON.stringify(toRestError(refusal, traceId)),
      };
  }
}

export function toRpcErrorBody(id: JsonRpcId, refusal: Refusal): string {
  return jsonRpcText(id, 'error', toJsonRpcError(refusal));
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
