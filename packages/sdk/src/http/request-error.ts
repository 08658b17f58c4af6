import { isJsonObject } from '@relay/protocol';

/** What is known of a failed request. */
export interface RequestFailure {
  /** HTTP status; none when no answer came. */
  readonly status?: number | undefined;
  /** Relay's own code, such as 2034 for a finished task. */
  readonly code?: number | undefined;
  readonly rpcCode?: number | undefined;
  readonly reason?: string | undefined;
  readonly traceId?: string | undefined;
  /** Seconds to wait, where Relay said so. */
  readonly retryAfter?: number | undefined;
}

/** Relay refused a request, could not be reached, or answered what nobody could read. */
export class RelayRequestError extends Error implements RequestFailure {
  override readonly name = 'RelayRequestError';
  readonly status: number | undefined;
  readonly code: number | undefined;
  readonly rpcCode: number | undefined;
  readonly reason: string | undefined;
  readonly traceId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, failure: RequestFailure, options?: ErrorOptions) {
    super(message, options);
    this.status = failure.status;
    this.code = failure.code;
    this.rpcCode = failure.rpcCode;
    this.reason = failure.reason;
    this.traceId = failure.traceId;
    this.retryAfter = failure.retryAfter;
  }
}

/** The error of a dial or a read that failed. */
export function unreachable(cause: unknown): RelayRequestError {
  return new RelayRequestError('Relay could not be reached.', {}, { cause });
}

/** True where the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof RelayRequestError)) return false;
  const { status, reason } = error;
  return status === undefined || status === 429 || status >= 500 || reason === 'UNAVAILABLE';
}

/** An answer that says no: what its status, headers and body tell, in REST's form or JSON-RPC's. */
export function errorFromAnswer(
  status: number,
  retryAfterHeader: string | undefined,
  body: unknown,
): RelayRequestError {
  const answer = isJsonObject(body) ? body : {};
  const error = isJsonObject(answer['error']) ? answer['error'] : {};
  const told = 'jsonrpc' in answer ? rpcFailure(error) : restFailure(error);
  return new RelayRequestError(text(error['message']) ?? `Relay answered HTTP ${status}.`, {
    ...told,
    status,
    traceId: text(answer['trace_id']),
    retryAfter: wholeNumber(retryAfterHeader) ?? told.retryAfter,
  });
}

function restFailure(error: Record<string, unknown>): RequestFailure {
  return { code: number(error['code']), retryAfter: number(error['retry_after']) };
}

function rpcFailure(error: Record<string, unknown>): RequestFailure {
  const details: unknown[] = Array.isArray(error['data']) ? error['data'] : [];
  const info = details.filter(isJsonObject).find((detail) => 'reason' in detail) ?? {};
  const metadata = isJsonObject(info['metadata']) ? info['metadata'] : {};
  return {
    rpcCode: number(error['code']),
    reason: text(info['reason']),
    code: wholeNumber(text(metadata['code'])),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function wholeNumber(value: string | undefined): number | undefined {
  return value && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
