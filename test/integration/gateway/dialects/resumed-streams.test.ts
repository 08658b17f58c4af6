import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { agentMessage, type Frame, GatewayClient } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';
import { newMessage, streamOver, wires } from '../../../support/wires.ts';

const relay = useGateway({ config: { keepaliveSeconds: 0.2 } });

let other: TestGateway;

beforeAll(async () => {
  const { nats, redis } = relay;
  other = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url });
});

afterAll(() => other?.close());

const act = (taskId: string, action: string, body: unknown) =>
  relay.client.send('POST', `/v1/tasks/${taskId}/${action}`, { token: relay.worker.token, body });

/** Relay's own id of the newest task of the worker. */
async function newestTask(): Promise<string> {
  const { token } = relay.worker;
  const { body } = await relay.client.send('GET', '/v1/tasks?page_size=1', { token });
  return body.tasks[0]?.id ?? '';
}

const changes = 24;

/** Statuses and artifacts in turns, each with its number; the last one ends the task. */
async function work(taskId: string): Promise<void> {
  for (let n = 1; n <= changes; n += 1) {
    const text = `change ${n}.`;
    const state = n === changes ? 'COMPLETED' : 'WORKING';
    const artifact = { artifactId: text, parts: [{ text }] };
    await (n % 2 === 0
      ? act(taskId, 'status', { state, message: agentMessage(text) })
      : act(taskId, 'artifacts', { artifact }));
  }
}

const numberIn = (frame: Frame) => /change (\d+)\./.exec(JSON.stringify(frame.data))?.[1];

describe.each(wires)('a stream of A2A $name', (wire) => {
  it('loses and repeats nothing, however often it is cut, at whichever gateway it goes on', async () => {
    const clients = [relay.client, new GatewayClient(other.url)];
    const { planner: from, worker: to } = relay;
    const sent = newMessage();
    const request = wire.stream(sent);
    let stream = await streamOver({ client: relay.client, from, to, request });
    const frames: Frame[] = [];
    const isDone = () => /completed/i.test(JSON.stringify(frames.at(-1)?.data ?? {}));
    const take = async (count: number) => {
      for (let n = 0; n < count && !isDone(); n += 1) {
        const frame = await stream.next();
        if (!frame) throw new Error('The stream has ended early');
        frames.push(frame);
      }
    };
    await take(1);
    const id = await newestTask();
    const working = work(id);
    for (let turn = 1; !isDone(); turn += 1) {
      stream.disconnect();
      stream = await streamOver({
        client: clients[turn % 2] ?? relay.client,
        from,
        to,
        request: wire.subscribe({ id, name: sent.id }),
        headers: { 'last-event-id': frames.at(-1)?.id ?? '' },
      });
      await take(1 + (turn % 3));
    }
    expect(await stream.rest()).toEqual([]);
    await working;
    const ids = Array.from({ length: changes + 1 }, (_, n) => String(n + 1));
    expect(frames.map((frame) => frame.id)).toEqual(ids);
    expect(frames.slice(1).map(numberIn)).toEqual(ids.slice(0, -1));
  });
});
