import { createServer } from 'node:http';
import { now } from '../load/orders.ts';
import { serveCalls } from '../remote/serve-calls.ts';
import type { Moment } from './orders.ts';

/** Takes webhooks and does the least: it notes whose task each is of, and answers. Under `/hole` it never does. */
const received: Moment[] = [];
const taskStart = '"task":{"id":"';
const idLength = 36;
let awaited = { count: Number.POSITIVE_INFINITY, resolve: () => {} };

const server = createServer((request, response) => {
  if (request.url?.startsWith('/hole')) return void request.resume();
  const at = now();
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString('latin1');
  });
  request.on('end', () => {
    response.writeHead(204).end();
    const start = body.indexOf(taskStart) + taskStart.length;
    received.push({ taskId: body.slice(start, start + idLength), at });
    if (received.length >= awaited.count) awaited.resolve();
  });
});

serveCalls({
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  },
  take: async (count) => {
    await new Promise<void>((resolve) => {
      awaited = { count: Number(count), resolve };
      if (received.length >= awaited.count) resolve();
    });
    return received.splice(0);
  },
});
