import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

/** A reader that takes nothing is cut off after 2 to 4 s, and all streams end after 6. */
const relay = useGateway({
  config: { keepaliveSeconds: 0.4, streamSeconds: 6, taskLimitBytes: 7 * 1024 * 1024 },
});

async function openLargeTask(): Promise<string> {
  const { body } = await relay.client.rpc({
    from: relay.planner,
    to: relay.worker,
    method: 'SendMessage',
    params: { message: message(), configuration: atOnce },
  });
  const taskId: string = body.result.task.id;
  const parts = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(10_000) }));
  for (let n = 0; n < 6; n += 1) {
    const artifact = { artifactId: `large ${n}`, parts };
    await relay.client.send('POST', `/v1/tasks/${taskId}/artifacts`, {
      token: relay.worker.token,
      body: { artifact },
    });
  }
  return taskId;
}

/** A stream over a connection that the test reads, or does not read. */
function subscribeRaw(taskId: string): Socket {
  const { hostname, port } = new URL(relay.gateway.url);
  const params = { id: taskId };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'SubscribeToTask', params });
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /${relay.worker.handle} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${relay.planner.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** The last chunk of a response that was not cut off. */
const endOfStream = '\n0\r\n\r\n';

it.concurrent('cuts a reader off that does not read, while others go on', async () => {
  const taskId = await openLargeTask();
  const socket = subscribeRaw(taskId);
  socket.pause();
  const other = await relay.client.stream({
    from: relay.planner,
    to: relay.worker,
    method: 'SubscribeToTask',
    params: { id: taskId },
  });
  expect((await other.next())?.data.result).toHaveProperty('task');
  expect(await other.rest()).toEqual([]);
  const received = await new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.resume();
  });
  expect(received).toContain('text/event-stream');
  expect(received).not.toContain(endOfStream);
  expect(received.length).toBeLessThan(6_000_000);
});

it.concurrent('waits for a reader that reads slowly', async () => {
  const socket = subscribeRaw(await openLargeTask());
  let received = '';
  for await (const chunk of socket) {
    received += String(chunk);
    if (received.endsWith(endOfStream)) break;
    await sleep(60);
  }
  expect(received.length).toBeGreaterThan(6_000_000);
  expect(received.endsWith(endOfStream)).toBe(true);
});
