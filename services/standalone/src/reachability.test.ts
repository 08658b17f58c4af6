import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findRedisProblem } from './reachability.ts';

it('finds nothing wrong with a server that accepts', async () => {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  expect(await findRedisProblem(`redis://127.0.0.1:${address.port}`)).toBeUndefined();
  server.close();
});

it('names what it could not reach, and no password', async () => {
  expect(await findRedisProblem('redis://:hush@127.0.0.1:1')).toBe('127.0.0.1:1 (ECONNREFUSED)');
  expect(await findRedisProblem('/nowhere/redis.sock')).toBe('/nowhere/redis.sock (ENOENT)');
});
