import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { usedBytes } from '../../support/used-bytes.ts';

const relay = useGateway();
const mebibyte = 1024 * 1024;
const calls = 32;
/** The task-manager remembers so much of the tasks that it changed last. */
const remembered = 72 * mebibyte;

const largeMessage = () => ({
  ...message(),
  metadata: { texts: Array.from({ length: 350 }, () => 'x'.repeat(10_000)) },
});

/** A call of which the test holds nothing, and whose answer it throws away. */
function call(method: string, params: unknown): Socket {
  const { hostname, port } = new URL(relay.gateway.url);
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const socket = connect(Number(port), hostname);
  socket.resume();
  socket.write(
    `POST /${relay.worker.handle} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${relay.planner.token}\r\n` +
      `A2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
  return socket;
}

it.each(['SendMessage', 'SendStreamingMessage'])(
  '%s holds nothing of its message and its task while it waits',
  { timeout: 60_000 },
  async (method) => {
    const { tasks } = relay.gateway.bus;
    const before = await usedBytes();
    const sockets: Socket[] = [];
    for (let n = 0; n < calls; n += 1) {
      const sequence = await tasks.stream.lastSequence();
      sockets.push(call(method, { message: largeMessage() }));
      await expect.poll(() => tasks.stream.lastSequence(), { interval: 10 }).toBe(sequence + 1);
    }
    expect((await usedBytes()) - before).toBeLessThan(remembered + calls * 0.5 * mebibyte);
    for (const socket of sockets) socket.destroy();
    const { status } = await relay.client.rpc({
      from: relay.planner,
      to: relay.worker,
      method: 'SendMessage',
      params: { message: message(), configuration: atOnce },
    });
    expect(status).toBe(200);
  },
);
