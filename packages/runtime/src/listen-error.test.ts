import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { explainListenError } from './listen-error.ts';
import { StartupError } from './startup-error.ts';

const server = createServer();
afterEach(() => server.close());

function listen(port: number, host: string): Promise<unknown> {
  return new Promise((resolve) => createServer().once('error', resolve).listen(port, host));
}

it('says in one line that a port is taken', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const error = await listen(address.port, '127.0.0.1');
  expect(explainListenError(error, { host: '127.0.0.1', port: address.port })).toEqual(
    new StartupError(
      `cannot listen on 127.0.0.1:${address.port}: the port is taken (RELAY_PORT sets another)`,
    ),
  );
});

it('leaves what the operator cannot put right as it is', () => {
  const error = new Error('out of memory');
  expect(explainListenError(error, { host: '::1', port: 80 })).toBe(error);
});
