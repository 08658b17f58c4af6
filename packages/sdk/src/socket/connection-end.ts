import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeCodes } from '@relay/protocol';
import { jsonIn } from '../http/json.ts';
import { errorFromAnswer, isTransient } from '../http/request-error.ts';
import { waitAskedFor } from '../http/retries.ts';
import { RelaySocketError } from './socket-error.ts';

/** How a connection ended, and so what comes next. */
export type ConnectionEnd =
  /** As asked. */
  | { readonly kind: 'stopped' }
  /** To be opened again. */
  | { readonly kind: 'lost'; readonly error: Error; readonly waitMilliseconds?: number }
  /** To be opened again, since a handler failed on an event. */
  | { readonly kind: 'handler_failed'; readonly error: Error }
  /** For good. */
  | { readonly kind: 'refused'; readonly error: Error };

/** What a close by Relay, or by nobody, means (contract §6.6). */
export function endOfClose(code: number, reason: string): ConnectionEnd {
  const said = reason === '' ? '' : `: ${reason}`;
  const error = new RelaySocketError(`The connection was closed with ${code}${said}.`, code);
  const isPermanent = code >= 4400 && code < 4500 && code !== closeCodes.heartbeatTimeout;
  return { kind: isPermanent ? 'refused' : 'lost', error };
}

/** What an upgrade means that Relay answered with anything but 101. */
export async function endOfUpgrade(response: IncomingMessage): Promise<ConnectionEnd> {
  const body = await text(response).catch(() => '');
  const error = errorFromAnswer(
    response.statusCode ?? 0,
    response.headers['retry-after'],
    jsonIn(body),
  );
  if (!isTransient(error)) return { kind: 'refused', error };
  return { kind: 'lost', error, waitMilliseconds: waitAskedFor(error) };
}
