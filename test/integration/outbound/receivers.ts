import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { createOutbound, type Outbound, type OutboundOptions } from '@relay/outbound';
import { onTestFinished } from 'vitest';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Every connection it took, the oldest first. */
  readonly connections: readonly Socket[];
}

/** An HTTP receiver on loopback, stopped with the test. */
export function startReceiver(listener: RequestListener): Promise<Receiver> {
  return listen(createServer({ keepAliveTimeout: 60_000 }, listener));
}

/** One that answers with what it makes of the request and its body. */
export function startEcho(
  answer: (request: IncomingMessage, body: string) => unknown,
): Promise<Receiver> {
  return startReceiver((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify(answer(request, body))));
  });
}

/** One that speaks for itself once it has read a whole request. */
export function startRawReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  const server = createTcpServer((socket) => {
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk.toString();
      if (!request.includes('\r\n\r\n{}')) return;
      request = '';
      answer(socket);
    });
  });
  return listen(server);
}

export async function listen(server: Server): Promise<Receiver> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = addressOf(server);
  return { url: `http://127.0.0.1:${port}/hook`, port, connections };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address;
}

/** An outbound that may reach this machine, closed with the test. */
export function openOutbound(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({
    allowedNetworks: ['127.0.0.0/8'],
    ownListeners: [],
    ...options,
  });
  onTestFinished(() => outbound.close());
  return outbound;
}

/** Posts `{}` within two seconds, unless told otherwise. */
export function post(
  outbound: Outbound,
  url: string,
  limits: { readonly milliseconds?: number; readonly answerBytes?: number } = {},
) {
  return outbound.post({
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    limits: { milliseconds: 2_000, answerBytes: 1_024, ...limits },
  });
}

/** Waits until a connection is gone, by an end or a reset; fails where there is none. */
export async function closed(socket: Socket | undefined): Promise<void> {
  if (socket === undefined) throw new Error('there is no such connection');
  if (socket.closed) return;
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
}
