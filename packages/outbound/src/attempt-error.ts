/**
 * `dns`: the name does not resolve. `connect`: no address took the connection. `tls`: no trusted
 * channel. `reset`: the connection ended before an answer. The timeouts: no connection, or no answer,
 * within the limit. `response_invalid` and `response_too_large`: no HTTP, or too much before the body.
 * `request_invalid`: a header that HTTP cannot carry.
 */
export type NetworkFailureCode =
  | 'dns'
  | 'connect'
  | 'connect_timeout'
  | 'tls'
  | 'reset'
  | 'response_timeout'
  | 'response_invalid'
  | 'response_too_large'
  | 'request_invalid';

/** A failed attempt on its way to becoming an outcome; the message is short and safe to show. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly code: NetworkFailureCode;

  constructor(code: NetworkFailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
