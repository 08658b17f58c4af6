import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketQuerySchema } from '@relay/protocol';
import type { DescribedRoute } from '../reference/operation.ts';
import { type Connections, tooManyConnections } from './connections.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const webSocketPath = '/v1/websocket';

/** No router knows it: the server is told of upgrades beside its requests. */
export const webSocketRoute: DescribedRoute = {
  method: 'GET',
  path: webSocketPath,
  operation: {
    id: 'openWebSocket',
    tag: 'Events',
    summary: "Open the agent's WebSocket",
    description: 'By `Upgrade: websocket`. Its frames are in `/asyncapi.json`.',
    caller: 'agent',
    query: socketQuerySchema,
    answers: [{ status: 101, description: 'The WebSocket is open.' }],
    errors: [
      'unauthenticated',
      'forbidden',
      'invalidParams',
      'conflict',
      'tooManyConnections',
      'unavailable',
      'internal',
    ],
    errorForm: 'rest',
  },
};

/** Passes WebSockets on to delivery. Other offers to upgrade are ignored, as HTTP wants (RFC 9110 §7.8). */
export function passUpgrades(
  server: Server,
  connections: Connections,
  handleUpgrade: UpgradeHandler,
): void {
  server.on('upgrade', (request, socket, head) => {
    const [path] = (request.url ?? '').split('?', 1);
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (!isWebSocket || path !== webSocketPath) {
      readAgainWithoutUpgrade(server, request, socket, head);
    } else if (connections.takes(socket)) {
      handleUpgrade(request, socket, head);
    } else {
      refuseUpgrade(socket, tooManyConnections);
    }
  });
}

/**
 * Java's HTTP client offers h2c with every first request. Node has given up reading the request by now, so
 * it is read again from its first byte.
 */
function readAgainWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
