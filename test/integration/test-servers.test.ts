import { afterAll, expect, it } from 'vitest';
import { greet } from '../support/greeting.ts';
import { startNats, startRedis, type TestServer } from '../support/servers.ts';

const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

it.each([
  ['NATS', startNats, 'INFO'],
  ['Redis', startRedis, '+PONG'],
])(
  '%s is killed, started again at the same address, frozen and thawed',
  async (_, start, greeting) => {
    const server = await start();
    servers.push(server);
    const { url, pid } = server;
    expect(await greet(url)).toContain(greeting);
    await server.kill();
    await expect(greet(url)).rejects.toThrow('connect');
    await server.restart();
    expect(server.url).toBe(url);
    expect(server.pid).not.toBe(pid);
    expect(await greet(url)).toContain(greeting);
    server.pause();
    await expect(greet(url)).rejects.toThrow('no answer');
    server.resume();
    expect(await greet(url)).toContain(greeting);
  },
);
