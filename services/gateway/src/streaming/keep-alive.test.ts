import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { KeepAlive } from './keep-alive.ts';

const server = createServer();

afterEach(() => {
  vi.useRealTimers();
  server.close();
});

/** The response to a client that went away before it was answered. */
async function abandonedResponse(): Promise<ServerResponse> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const client = connect(address.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response]: unknown[] = await once(server, 'request');
  if (!(response instanceof ServerResponse)) throw new Error('no response');
  const closed = once(response, 'close');
  client.destroy();
  await closed;
  return response;
}

it('does not look after a response whose client has gone already', async () => {
  const response = await abandonedResponse();
  vi.useFakeTimers();
  const keepAlive = new KeepAlive(1);
  keepAlive.open(response, {});
  const write = vi.spyOn(response, 'write');
  vi.advanceTimersByTime(10_000);
  expect(write).not.toHaveBeenCalled();
  keepAlive.close();
});
