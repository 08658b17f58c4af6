import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();
const mebibyte = 1024 * 1024;

/** A request of which all but the last byte of the body is sent. */
async function beginRequest(): Promise<Socket> {
  const { hostname, port } = new URL(relay.gateway.url);
  const socket = connect(Number(port), hostname);
  const path = `/${relay.worker.handle}`;
  const headers = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${7 * mebibyte}\r\n\r\n`;
  socket.on('error', () => undefined);
  socket.write(Buffer.concat([Buffer.from(headers), Buffer.alloc(7 * mebibyte - 1, 'x')]));
  if (socket.writableLength > 0) await Promise.race([once(socket, 'drain'), once(socket, 'data')]);
  return socket;
}

it('unfinished bodies are bounded by what has arrived of them, and the rest goes on', async () => {
  const answers: string[] = [];
  const sockets: Socket[] = [];
  while (answers.length === 0 && sockets.length < 60) {
    const socket = await beginRequest();
    socket.on('data', (data: Buffer) => answers.push(data.toString()));
    sockets.push(socket);
  }
  await expect.poll(() => answers[0]).toContain('HTTP/1.1 503 ');
  expect(answers[0]?.toLowerCase()).toContain('retry-after: 1');
  expect(sockets.length).toBeGreaterThan(30);
  const me = { token: relay.planner.token };
  expect((await relay.client.send('GET', '/v1/me', me)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  const patch = () =>
    relay.client.send('PATCH', '/v1/me', { ...me, body: { accepts_tasks: true } });
  await expect.poll(async () => (await patch()).status).toBe(200);
});

it('a body that nobody reads may be of any length', async () => {
  const { hostname, port } = new URL(relay.gateway.url);
  const socket = connect(Number(port), hostname);
  const answered = once(socket, 'data');
  const bytes = 300 * mebibyte;
  socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  const [answer]: unknown[] = await answered;
  expect(String(answer)).toContain('HTTP/1.1 200 ');
  const chunk = Buffer.alloc(mebibyte, 'x');
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
  expect((await relay.client.send('GET', '/healthz')).status).toBe(200);
  socket.destroy();
});
