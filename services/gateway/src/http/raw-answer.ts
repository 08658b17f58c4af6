import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorAnswer } from './refusals.ts';

/** Answers on the connection itself, where Node has no response to write to, and closes it. */
export function endWithAnswer(connection: Duplex, { status, headers, body }: ErrorAnswer): void {
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  connection.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}
