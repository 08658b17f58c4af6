import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { serveCalls } from '../remote/serve-calls.ts';
import { broadcastSchema } from './orders.ts';

/** As many as Relay has on their way before one is acknowledged. */
const eventsAtOnce = 64;

/** What any WebSocket server in Node could reach at most: it does nothing but hold sockets and send. */
const sockets = new Set<WebSocket>();
const upgrades = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
});
const server = createServer();
server.on('upgrade', (request, socket, head) => {
  upgrades.handleUpgrade(request, socket, head, (webSocket) => {
    sockets.add(webSocket);
    webSocket.on('close', () => sockets.delete(webSocket));
    webSocket.on('error', () => undefined);
    webSocket.on('message', () => undefined);
    webSocket.send('{"type":"ready"}');
  });
});

serveCalls({
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  },
  broadcast: async (order) => {
    const { events, bytes } = broadcastSchema.parse(order);
    const sent: Promise<unknown>[] = [];
    for (let n = 1; n <= events; n += 1) {
      await sent[n - eventsAtOnce];
      const frame = Buffer.from(
        `{"type":"event","sequence":"${n}","event":"${'x'.repeat(bytes)}"}`,
      );
      sent[n] = Promise.all([...sockets].map((socket) => sendTo(socket, frame)));
    }
    await Promise.all(sent);
  },
});

function sendTo(socket: WebSocket, frame: Buffer): Promise<void> {
  return new Promise((resolve) => socket.send(frame, { binary: false }, () => resolve()));
}
