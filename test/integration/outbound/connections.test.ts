import type { ResolveAddresses } from '@relay/outbound';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closed, openOutbound, post, startReceiver } from './receivers.ts';

const toLoopback = () => Promise.resolve(['127.0.0.1']);

describe('a connection', () => {
  it('is used again and again, one for each attempt at the same time', async () => {
    const receiver = await startReceiver((_request, response) => response.end('ok'));
    const outbound = openOutbound();
    for (let round = 0; round < 50; round += 1) await post(outbound, receiver.url);
    expect(receiver.connections).toHaveLength(1);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => post(outbound, receiver.url)));
    }
    expect(receiver.connections).toHaveLength(8);
  });

  it('that the receiver closed while it was idle does not cost an attempt', async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    const outbound = openOutbound();
    for (let round = 0; round < 20; round += 1) {
      expect(await post(outbound, receiver.url)).toMatchObject({ kind: 'delivered' });
      receiver.connections[round]?.destroy();
      await closed(receiver.connections[round]);
    }
  });

  it('ends after an answer that says so', async () => {
    const receiver = await startReceiver((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end();
    });
    const outbound = openOutbound();
    await post(outbound, receiver.url);
    await post(outbound, receiver.url);
    expect(receiver.connections).toHaveLength(2);
  });

  it('serves its own origin only', async () => {
    const receiver = await startReceiver((request, response) => response.end(request.headers.host));
    const outbound = openOutbound({ resolve: toLoopback });
    for (const host of ['one.example', 'two.example', 'one.example']) {
      const origin = `${host}:${receiver.port}`;
      expect(await post(outbound, `http://${origin}/`)).toMatchObject({ answer: { text: origin } });
    }
    expect(receiver.connections).toHaveLength(2);
  });

  it('is not used for longer than a minute, so that names are judged anew', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const receiver = await startReceiver((_request, response) => response.end());
    const resolve = vi.fn<ResolveAddresses>(toLoopback);
    const outbound = openOutbound({ resolve });
    const url = `http://hooks.example:${receiver.port}/`;
    await post(outbound, url);
    vi.advanceTimersByTime(59_000);
    await post(outbound, url);
    expect(resolve).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_001);
    resolve.mockResolvedValue(['10.0.0.1']);
    expect(await post(outbound, url)).toMatchObject({ failure: { rule: 'private' } });
  });
});

describe('idle connections', () => {
  it('are at most a thousand over all origins, the longest idle ones closed first', async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    const outbound = openOutbound({ resolve: toLoopback });
    for (let host = 0; host < 1_100; host += 1) {
      await post(outbound, `http://host-${host}.example:${receiver.port}/`);
    }
    const early = receiver.connections.slice(0, 100);
    await Promise.all(early.map(closed));
    const open = receiver.connections.filter((socket) => !socket.closed);
    expect(open).toEqual(receiver.connections.slice(100));
  });

  it('are closed with the outbound, those in use once they have their answer', async () => {
    const waiting: (() => void)[] = [];
    const receiver = await startReceiver((request, response) => {
      if (request.url === '/wait') waiting.push(() => response.end('late'));
      else response.end();
    });
    const outbound = openOutbound();
    const late = post(outbound, new URL('/wait', receiver.url).href);
    await expect.poll(() => waiting.length).toBe(1);
    await post(outbound, receiver.url);
    const [busy, idle] = receiver.connections;

    outbound.close();
    await closed(idle);
    waiting[0]?.();
    expect(await late).toMatchObject({ kind: 'delivered', answer: { text: 'late' } });
    await closed(busy);
  });
});
