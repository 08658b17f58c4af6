import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { ResolveAddresses } from '@relay/outbound';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  closed,
  listen,
  openOutbound,
  post,
  startRawReceiver,
  startReceiver,
} from './receivers.ts';

describe('a dial', () => {
  it('goes where the name was judged to be, though it resolves elsewhere a moment later', async () => {
    const receiver = await startReceiver((_request, response) => response.end('judged'));
    const resolve = vi.fn<ResolveAddresses>().mockResolvedValue(['::1']);
    resolve.mockResolvedValueOnce(['127.0.0.1']);
    const outbound = openOutbound({ resolve });
    expect(await post(outbound, `http://hooks.example:${receiver.port}/`)).toMatchObject({
      answer: { text: 'judged' },
    });
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it.each([
    [['127.0.0.1']],
    [['127.0.0.2', '127.0.0.1']],
    [['127.0.0.1', '127.0.0.2']],
    [['::ffff:127.0.0.1']],
  ])('is not made when one of %j is refused', async (addresses) => {
    const receiver = await startReceiver((_request, response) => response.end());
    const resolve = () => Promise.resolve(addresses);
    const outbound = openOutbound({ allowedNetworks: ['127.0.0.2'], resolve });
    expect(await post(outbound, `http://hooks.example:${receiver.port}/`)).toMatchObject({
      kind: 'rejected',
      failure: { code: 'refused' },
    });
    expect(receiver.connections).toEqual([]);
  });

  it('that reaches another peer than it was allowed to sends nothing', async () => {
    const bytes: Buffer[] = [];
    const server = createServer((socket) => socket.on('data', (chunk) => bytes.push(chunk)));
    const { port, connections } = await listen(server);
    // The system connects 0.0.0.0 to loopback, which is not allowed here.
    const outbound = openOutbound({ allowedNetworks: ['0.0.0.0'] });
    for (const scheme of ['http', 'https']) {
      expect(await post(outbound, `${scheme}://0.0.0.0:${port}/`)).toMatchObject({
        kind: 'rejected',
        failure: { code: 'refused', rule: 'loopback' },
      });
    }
    await expect.poll(() => connections.length).toBe(2);
    await Promise.all(connections.map(closed));
    expect(bytes).toEqual([]);
  });

  it('takes the next address when one does not take connections', async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    const resolve = () => Promise.resolve(['127.0.0.9', '127.0.0.1']);
    const outbound = openOutbound({ resolve });
    expect(await post(outbound, `http://hooks.example:${receiver.port}/`)).toMatchObject({
      kind: 'delivered',
    });
  });

  it("knows the system's own names where private networks are allowed", async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    const outbound = openOutbound({ allowedNetworks: ['127.0.0.0/8', '::1'] });
    expect(await post(outbound, `http://localhost:${receiver.port}/`)).toMatchObject({
      kind: 'delivered',
    });
  });
});

describe('a failed dial is worth another try', () => {
  const never = () => new Promise<never>(() => {});

  it('when nobody listens', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    server.close();
    await once(server, 'close');
    expect(await post(openOutbound(), `http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'retry',
      failure: { code: 'connect', detail: 'ECONNREFUSED' },
    });
  });

  it('when the name does not resolve', async () => {
    const notFound = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const outbound = openOutbound({ resolve: () => Promise.reject(notFound) });
    expect(await post(outbound, 'http://hooks.example/')).toMatchObject({
      kind: 'retry',
      failure: { code: 'dns', detail: 'ENOTFOUND' },
    });
  });

  it('when the name has no address', async () => {
    const outbound = openOutbound({ resolve: () => Promise.resolve([]) });
    expect(await post(outbound, 'http://hooks.example/')).toMatchObject({
      kind: 'retry',
      failure: { code: 'dns' },
    });
  });

  it('when the name servers are silent', async () => {
    const outbound = openOutbound({ resolve: never });
    expect(await post(outbound, 'http://hooks.example/', { milliseconds: 50 })).toMatchObject({
      kind: 'retry',
      failure: { code: 'connect_timeout' },
    });
  });

  it.each(['http', 'https'])('when %s is reset as soon as it is connected', async (scheme) => {
    const port = await startResetter();
    expect(await post(openOutbound(), `${scheme}://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'retry',
      failure: { code: 'reset' },
    });
  });

  it('when TLS is not spoken', async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    expect(await post(openOutbound(), `https://127.0.0.1:${receiver.port}/`)).toMatchObject({
      kind: 'retry',
      failure: { code: 'tls' },
    });
  });

  it('when TLS is never answered, and it leaves no connection', async () => {
    const receiver = await startRawReceiver(() => {});
    const url = `https://127.0.0.1:${receiver.port}/`;
    expect(await post(openOutbound(), url, { milliseconds: 100 })).toMatchObject({
      kind: 'retry',
      failure: { code: 'connect_timeout' },
    });
    await closed(receiver.connections[0]);
  });
});

it.each([
  ['a line break in a value', { 'x-token': 'a\r\nx-admin: 1' }],
  ['a NUL in a value', { 'x-token': 'a\u0000' }],
  ['a space in a name', { 'x token': 'a' }],
  ['transfer-encoding', { 'transfer-encoding': 'chunked' }],
  ['another length', { 'content-length': '1' }],
])('a request with %s is rejected and not sent', async (_what, headers) => {
  const requests: unknown[] = [];
  const receiver = await startReceiver((request, response) => {
    requests.push(request.headers);
    response.end();
  });
  const limits = { milliseconds: 2_000, answerBytes: 0 };
  const attempt = { url: receiver.url, headers, body: '{}', limits };
  expect(await openOutbound().post(attempt)).toMatchObject({
    kind: 'rejected',
    failure: { code: 'request_invalid' },
  });
  expect(requests).toEqual([]);
});

const openedSchema = z.object({ socket: z.instanceof(Socket) });

/** Resets each connection while whoever opened it hears that it is open. */
async function startResetter(): Promise<number> {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(resetter, { eval: true, workerData: state });
  const [port] = await once(worker, 'message');
  const resetWhenOpen = (message: unknown) => {
    openedSchema.parse(message).socket.once('connect', () => {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      Atomics.wait(state, 0, 1);
    });
  };
  subscribe('net.client.socket', resetWhenOpen);
  onTestFinished(async () => {
    unsubscribe('net.client.socket', resetWhenOpen);
    await worker.terminate();
  });
  return Number(port);
}

const resetter = `
  const { parentPort, workerData: state } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    Atomics.wait(state, 0, 0);
    socket.resetAndDestroy();
    socket.once('close', () => {
      Atomics.store(state, 0, 2);
      Atomics.notify(state, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
