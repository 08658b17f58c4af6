import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Refusal, RelayError, toRestError } from '@relay/protocol';

export function refusalOf(error: unknown): Refusal {
  return error instanceof RelayError ? error.refusal : { error: 'internal' };
}

/** Answers an upgrade that is not done with Relay's REST error, then closes the socket. */
export function refuseUpgrade(
  socket: Duplex,
  refusal: Refusal,
  moreHeaders: readonly string[] = [],
): void {
  const traceId = randomUUID().replaceAll('-', '');
  const error = toRestError(refusal, traceId);
  const { status } = error.error;
  const body = JSON.stringify(error);
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...moreHeaders,
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
    ...(refusal.retryAfterSeconds ? [`Retry-After: ${refusal.retryAfterSeconds}`] : []),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
