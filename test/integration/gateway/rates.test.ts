import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import {
  type Answer,
  GatewayClient,
  message,
  type TestAgent,
} from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { addressDialects, restDialect, toldBy } from '../../support/send-dialects.ts';

const waits = { sendWaitSeconds: 0.1, streamSeconds: 1 };
const relay = useGateway({ config: waits });

interface Replica {
  readonly gateway: TestGateway;
  readonly client: GatewayClient;
}

/** With the limits that a relay has unless told otherwise, as the first one. */
let second: Replica;
let strict: Replica;
let looping: Replica;

async function startReplica(config: object): Promise<Replica> {
  const { nats, redis } = relay;
  const urls = { natsUrl: nats.url, redisUrl: redis.url };
  const gateway = await startTestGateway({ ...urls, config: { ...waits, ...config } });
  return { gateway, client: new GatewayClient(gateway.url) };
}

beforeAll(async () => {
  second = await startReplica({});
  strict = await startReplica({ chatMessageRate: 3, messageRate: 5, taskMessageRate: 3 });
  looping = await startReplica({ loopCap: 4 });
}, 60_000);

afterAll(() => Promise.all([second, strict, looping].map(({ gateway }) => gateway.close())));

async function two(profile: Record<string, unknown> = {}): Promise<[TestAgent, TestAgent]> {
  return [await relay.client.createAgent(profile), await relay.client.createAgent(profile)];
}

const stored = async () => {
  const { tasks, chats } = relay.gateway.bus;
  return [await tasks.stream.lastSequence(), await chats.stream.lastSequence()];
};

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

const inOrder = (answers: readonly Answer[]) =>
  statuses(answers).toSorted((one, other) => one - other);

const both = (taken: number, refused: number) => [
  ...Array.from({ length: taken }, () => 202),
  ...Array.from({ length: refused }, () => 429),
];

/** At once, by the clients in turn; the statuses in order of their numbers. */
async function send(
  clients: readonly GatewayClient[],
  [from, to]: readonly [TestAgent, TestAgent],
  count: number,
): Promise<number[]> {
  const answers = Array.from({ length: count }, (_, place) =>
    messageAgents(clients[place % clients.length] ?? relay.client, from, [to], `${place}`),
  );
  return inOrder(await Promise.all(answers));
}

function expectRefusal(answer: Answer): void {
  const told = toldBy(answer);
  const text = 'Too many messages. Try again shortly.';
  expect(told).toMatchObject({ status: 429, code: 2008, message: text });
  expect(Number(told.retryAfter)).toBeGreaterThanOrEqual(1);
  expect(Number(told.retryAfter)).toBeLessThanOrEqual(10);
}

describe('messages in a chat', () => {
  it('are taken up to ten in ten seconds over all replicas, however they come', async () => {
    const clients = [relay.client, second.client];
    const pair = await two();
    await messageAgents(relay.client, pair[1], [pair[0]]);
    expect(await send(clients, pair, 24)).toEqual(both(10, 14));
    const before = await stored();
    for (const client of clients) {
      const refused = await messageAgents(client, pair[0], [pair[1]]);
      expectRefusal(refused);
      expect(String(refused.body.error.retry_after)).toBe(refused.headers.get('retry-after'));
    }
    expect(await stored()).toEqual(before);
    const third = await relay.client.createAgent();
    expect(await send(clients, [pair[0], third], 1)).toEqual([202]);
    expect(await send(clients, [pair[1], pair[0]], 1)).toEqual([202]);
  });

  it('are taken again when the time has passed, under a key that was refused before', async () => {
    const pair = await two();
    const sendKeyed = () =>
      strict.client.send('POST', '/v1/messages', {
        token: pair[0].token,
        body: { to: [pair[1].handle], message: textMessage('once') },
        headers: { 'idempotency-key': 'once' },
      });
    expect(await send([strict.client], pair, 3)).toEqual(both(3, 0));
    const since = performance.now();
    expectRefusal(await sendKeyed());
    const retryAfter = async () => Number((await sendKeyed()).headers.get('retry-after'));
    await expect.poll(retryAfter, { interval: 200 }).toBe(0);
    expect(performance.now() - since).toBeGreaterThan(5_000);
    const taken = chatBody(await sendKeyed()).message.id;
    expect(chatBody(await sendKeyed()).message.id).toBe(taken);
  });

  it('that were taken are answered again when there is no room for others', async () => {
    const [sender, other] = await two();
    const sendKeyed = (key: number) =>
      strict.client.send('POST', '/v1/messages', {
        token: sender.token,
        body: { to: [other.handle], message: textMessage(`message ${key}`) },
        headers: { 'idempotency-key': `key ${key}` },
      });
    // At once, since all must be within the time of the limit.
    const first = await Promise.all([0, 1, 2].map(sendKeyed));
    const [again, refused] = await Promise.all([
      Promise.all([0, 1, 2, 0].map(sendKeyed)),
      sendKeyed(3),
    ]);
    expectRefusal(refused);
    expect([statuses(first), statuses(again)]).toEqual([
      [202, 202, 202],
      [202, 202, 202, 202],
    ]);
    const idOf = (answer: Answer | undefined) => answer && chatBody(answer).message.id;
    expect(again.map(idOf)).toEqual([0, 1, 2, 0].map((key) => idOf(first[key])));
  });

  it('are counted over all chats of their sender, too', async () => {
    const [[sender, one], [other]] = [await two(), await two()];
    const clients = [strict.client];
    expect(await send(clients, [sender, one], 3)).toEqual(both(3, 0));
    expect(await send(clients, [sender, other], 3)).toEqual(both(2, 1));
    expect(await send(clients, [one, sender], 1)).toEqual([202]);
  });

  it.each(addressDialects)('count when they come to an address by $name', async (dialect) => {
    const [sender, concierge] = await two({ acceptsTasks: false });
    const sending = { from: sender, to: concierge };
    expect(await send([strict.client], [sender, concierge], 2)).toEqual(both(2, 0));
    const messageId = randomUUID();
    const taken = await dialect.send(strict.client, { ...sending, messageId });
    expect(toldBy(taken).code).not.toBe(2008);
    const before = await stored();
    expectRefusal(await dialect.send(strict.client, sending));
    const again = await dialect.send(strict.client, { ...sending, messageId });
    expect(toldBy(again).code).not.toBe(2008);
    expect(await stored()).toEqual(before);
  });
});

describe('messages on tasks', () => {
  const sendTasks = async (client: GatewayClient, pair: [TestAgent, TestAgent], count: number) => {
    const sending = { from: pair[0], to: pair[1] };
    const answers = Array.from({ length: count }, () => restDialect.send(client, sending));
    return inOrder(await Promise.all(answers));
  };

  it('are taken in any number unless a limit is set', async () => {
    const pair = await two();
    expect(new Set(await sendTasks(relay.client, pair, 14))).toEqual(new Set([200]));
    expect(await sendTasks(strict.client, pair, 4)).toEqual([200, 200, 200, 429]);
  });

  it.each([restDialect, ...addressDialects])(
    'are refused past a limit by $name, but for those that were taken before',
    async (dialect) => {
      const [sender, worker] = await two();
      const sending = { from: sender, to: worker };
      const messageId = randomUUID();
      const { task } = (await restDialect.send(strict.client, { ...sending, messageId })).body;
      const followUp = { ...sending, taskId: task.id };
      await restDialect.send(strict.client, followUp);
      await restDialect.send(strict.client, sending);
      const before = await stored();
      expectRefusal(await dialect.send(strict.client, sending));
      expectRefusal(await dialect.send(strict.client, followUp));
      const again = await restDialect.send(strict.client, { ...sending, messageId });
      expect(again.body.task.id).toBe(task.id);
      expect(await stored()).toEqual(before);
    },
  );
});

describe('a cap for loops', () => {
  const words = /answered each other 4 times within a minute, which looks like a loop/;

  const write = (client: GatewayClient, [from, to]: readonly [TestAgent, TestAgent]) =>
    messageAgents(client, from, [to]);

  /** Two agents that answer each other so often. */
  async function converse(client: GatewayClient, pair: [TestAgent, TestAgent], count: number) {
    const answers: Answer[] = [];
    for (let place = 0; place < count; place += 1) {
      answers.push(await write(client, place % 2 === 0 ? pair : [pair[1], pair[0]]));
    }
    return answers;
  }

  it('stops two agents that answer each other in a chat, and says why', async () => {
    const [one, other] = await two();
    const answers = await converse(looping.client, [one, other], 5);
    expect(statuses(answers)).toEqual(both(4, 1));
    const { error } = answers.at(-1)?.body ?? {};
    expect(error).toMatchObject({ code: 2008, message: expect.stringMatching(words) });
    expect(error?.retry_after).toBeGreaterThan(10);
    expect((await write(looping.client, [other, one])).status).toBe(202);
    const third = await relay.client.createAgent();
    expect((await write(looping.client, [one, third])).status).toBe(202);
    expect(new Set(statuses(await converse(relay.client, await two(), 8)))).toEqual(new Set([202]));
  });

  it('stops two that send each other tasks, but not one that sends many', async () => {
    const [one, other] = await two();
    const sendTask = async (from: TestAgent, to: TestAgent) =>
      toldBy(await restDialect.send(looping.client, { from, to }));
    for (let count = 0; count < 6; count += 1) {
      expect((await sendTask(one, other)).status).toBe(200);
    }
    for (const from of [other, one, other]) {
      expect((await sendTask(from, from === one ? other : one)).status).toBe(200);
    }
    const refusal = { status: 429, message: expect.stringMatching(words) };
    expect(await sendTask(one, other)).toMatchObject(refusal);
    const call = { from: one, to: other, method: 'SendMessage', params: { message: message() } };
    expect(toldBy(await looping.client.rpc(call))).toMatchObject(refusal);
  });

  it('counts turns while Redis is away, too', async () => {
    await relay.redis.kill();
    try {
      expect(statuses(await converse(looping.client, await two(), 5))).toEqual(both(4, 1));
    } finally {
      await relay.redis.restart();
    }
  });
});

describe('while Redis is away', () => {
  const readyOf = async ({ url }: GatewayClient) => {
    const answer: unknown = await (await fetch(`${url}/readyz`)).json();
    return answer;
  };
  const untilReady = async () => {
    for (const client of [relay.client, second.client, strict.client]) {
      await expect.poll(() => readyOf(client)).toEqual({ status: 'ready' });
    }
  };

  it('each replica goes by what it has counted itself, and is never without a limit', async () => {
    await untilReady();
    const pair = await two();
    expect(await send([strict.client], pair, 2)).toEqual(both(2, 0));
    await relay.redis.kill();
    try {
      expect(await send([strict.client], pair, 4)).toEqual(both(1, 3));
      expect(await send([second.client], pair, 14)).toEqual(both(10, 4));
      const sending = { from: pair[0], to: pair[1] };
      const tasks = [0, 1, 2, 3].map(() => restDialect.send(strict.client, sending));
      expect(inOrder(await Promise.all(tasks))).toEqual([200, 200, 200, 429]);
    } finally {
      await relay.redis.restart();
    }
    await untilReady();
    expect(await send([relay.client, second.client], await two(), 14)).toEqual(both(10, 4));
  });

  it('or stalled: there is a limit all the same', async () => {
    await untilReady();
    const pair = await two();
    relay.redis.pause();
    try {
      expect(await send([strict.client], pair, 5)).toEqual(both(3, 2));
    } finally {
      relay.redis.resume();
    }
  });
});
