import { WebSocket } from 'ws';
import { ReceivedMoments } from '../measure/received-moments.ts';
import { serveCalls } from '../remote/serve-calls.ts';
import { crowdSchema } from '../sockets/orders.ts';

/** Holds WebSockets and does the least: it notes whose task each event is of, and acknowledges it. */
const received = new ReceivedMoments();
const eventStart = '{"type":"event"';
const sequencePattern = /"sequence":"(\d+)"/;
const pingMilliseconds = 25_000;

serveCalls({
  open: async (order) => {
    const { origin, tokens } = crowdSchema.parse(order);
    await Promise.all(tokens.map((token) => open(origin, token)));
  },
  take: (count) => received.take(Number(count)),
});

function open(origin: string, token: string): Promise<void> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/websocket`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const pings = setInterval(() => socket.send('{"type":"ping"}'), pingMilliseconds);
  socket.on('close', () => clearInterval(pings));
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data) => {
      const frame = Buffer.isBuffer(data) ? data.toString('latin1') : '';
      if (frame.startsWith('{"type":"ready"')) resolve();
      if (!frame.startsWith(eventStart)) return;
      received.add(frame);
      const sequence = sequencePattern.exec(frame)?.[1];
      socket.send(`{"type":"ack","through_sequence":"${sequence}"}`);
    });
  });
}
