import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { WebSocket } from 'ws';

/** Asks for a WebSocket that must be refused. @returns the answer with its body */
export function refusedUpgrade(url: string, token: string) {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers });
  return new Promise<Pick<IncomingMessage, 'headers'> & { status: unknown; body: unknown }>(
    (resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () => reject(new Error('it was accepted')));
      socket.once('unexpected-response', (_, response) => {
        const { statusCode: status, headers } = response;
        json(response).then((body) => resolve({ status, headers, body }), reject);
      });
    },
  );
}
