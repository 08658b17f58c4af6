import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

/** A request on a connection of its own that the client never closes. */
class Request {
  /** All that is answered, when the relay has closed the connection. */
  readonly answer: Promise<string>;
  readonly finish: () => void;

  /** Its head is sent, but for the end. */
  constructor(method: string, path: string, body: string) {
    const { hostname, port } = new URL(relay.gateway.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.answer = text(socket).finally(() => socket.destroy());
    const { token } = relay.planner;
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nA2A-Version: 1.0\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`,
    );
    this.finish = () => socket.write(`\r\n${body}`);
  }

  static call(method: string, params: unknown): Request {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
    return new Request('POST', `/${relay.worker.handle}`, body);
  }
}

it('a drain answers waiting calls with the task as it stands, ends streams and takes nothing new, and closes their connections', async () => {
  const { client, gateway, planner: from, worker: to } = relay;
  const contextId = randomUUID();
  const send = () => ({ message: message('wait', { contextId }) });
  // A drain closes connections on which nothing has begun.
  const late = {
    refused: Request.call('SendMessage', send()),
    ready: new Request('GET', '/readyz', ''),
    healthy: new Request('GET', '/healthz', ''),
  };
  const waiting = [Request.call('SendMessage', send()), Request.call('SendMessage', send())];
  const stream = Request.call('SendStreamingMessage', send());
  for (const request of [...waiting, stream]) request.finish();
  const begun = async () => {
    const list = await client.rpc({ from, to, method: 'ListTasks', params: { contextId } });
    return list.body.result.totalSize;
  };
  await expect.poll(begun).toBe(3);
  expect(gateway.isReady()).toBe(true);

  const drained = gateway.drain();
  expect(gateway.isReady()).toBe(false);
  await expect(client.send('GET', '/readyz')).rejects.toThrow('fetch failed');
  for (const { answer } of waiting) {
    expect(await answer).toMatch(/^HTTP\/1\.1 200 .*connection: close.*TASK_STATE_SUBMITTED/is);
  }
  expect(await stream.answer).toMatch(
    /^HTTP\/1\.1 200 .*data: .*TASK_STATE_SUBMITTED.*\r\n0\r\n\r\n$/is,
  );
  for (const request of Object.values(late)) request.finish();
  const refused = await late.refused.answer;
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*-32603/is);
  for (const header of ['retry-after: 1', 'connection: close']) expect(refused).toContain(header);
  expect(await late.ready.answer).toMatch(/^HTTP\/1\.1 503 .*"status":"unavailable"/is);
  expect(await late.healthy.answer).toMatch(/^HTTP\/1\.1 200 /);
  await drained;
});
