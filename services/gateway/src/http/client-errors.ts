import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { callerForm } from './caller-form.ts';
import { endWithAnswer } from './raw-answer.ts';
import { toErrorAnswer } from './refusals.ts';
import { traceIdOf } from './trace.ts';

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

const requestLinePattern = /^([A-Z]+) (\S+)/;

/** Answers what is not HTTP as Node knows it: no request was made of it, so no route sees it. */
export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [, method = 'GET', url = '/'] = requestLinePattern.exec(requestStart(error)) ?? [];
  const message = messages[error.code] ?? 'The request is not valid HTTP.';
  const answer = toErrorAnswer(
    { error: 'invalidRequest', message },
    { form: callerForm(method, url), rpcId: null, traceId: traceIdOf(undefined) },
  );
  endWithAnswer(socket, { ...answer, status: 400 });
}

/** The last bytes that arrived; they begin with the request line unless the head came in pieces. */
function requestStart(error: ConnectionError): string {
  const rawPacket: unknown = error.rawPacket;
  return Buffer.isBuffer(rawPacket) ? rawPacket.subarray(0, 2_048).toString('latin1') : '';
}
