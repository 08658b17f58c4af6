import { createServer } from 'node:http';
import { now } from '../load/orders.ts';
import { ReceivedMoments } from '../measure/received-moments.ts';
import { serveCalls } from '../remote/serve-calls.ts';

/** Takes webhooks and does the least: it notes whose task each is of, and answers. Under `/hole` it never does. */
const received = new ReceivedMoments();

const server = createServer((request, response) => {
  if (request.url?.startsWith('/hole')) return void request.resume();
  const at = now();
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString('latin1');
  });
  request.on('end', () => {
    response.writeHead(204).end();
    received.add(body, at);
  });
});

serveCalls({
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  },
  take: (count) => received.take(Number(count)),
});
