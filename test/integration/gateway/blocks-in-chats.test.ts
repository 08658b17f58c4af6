import { randomUUID } from 'node:crypto';
import type { Chat, ChatMessageView } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, unblock } from '../../support/access-calls.ts';
import { AgentSocket } from '../../support/agent-socket.ts';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { startTestDelivery, type TestDelivery } from '../../support/delivery.ts';
import { flushRedis } from '../../support/flush-redis.ts';
import { message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 2, chatMessageRate: 1_000 } });

let delivery: TestDelivery;

beforeAll(async () => {
  delivery = await startTestDelivery(relay.nats.url);
});

afterAll(() => delivery?.close());

const listen = ({ token }: TestAgent) =>
  AgentSocket.open({ url: delivery.url, token, acknowledges: true });

const call = (agent: TestAgent, method: string, path: string, body?: unknown) =>
  relay.client.send(method, path, {
    token: agent.token,
    ...(body === undefined ? {} : { body }),
  });

interface Page {
  readonly chats: readonly Chat[];
  readonly messages: readonly ChatMessageView[];
  readonly next_cursor: string | null;
}

async function page(agent: TestAgent, path: string): Promise<Page> {
  const answer = await call(agent, 'GET', path);
  expect(answer.status).toBe(200);
  const body: Page = JSON.parse(answer.text);
  return body;
}

async function messageAt(agent: TestAgent, id: string): Promise<ChatMessageView> {
  const { text } = await call(agent, 'GET', `/v1/messages/${id}`);
  const seen: ChatMessageView = JSON.parse(text);
  return seen;
}

const textsOf = ({ messages }: Page) =>
  messages.map(({ parts }) => parts?.map((part) => part['value']).join());

const newAgents = (count: number) =>
  Promise.all(Array.from({ length: count }, () => relay.client.createAgent()));

async function two(): Promise<[TestAgent, TestAgent]> {
  const [one, other] = await newAgents(2);
  if (!one || !other) throw new Error('no agents');
  return [one, other];
}

const say = (from: TestAgent, chatId: string, content: object, key?: string) =>
  relay.client.send('POST', `/v1/chats/${chatId}/messages`, {
    token: from.token,
    body: { message: content },
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  });

/** What the agent heard of messages, once it has heard the last one. */
async function heard(socket: AgentSocket, last: string): Promise<string[]> {
  await socket.until(() => socket.events.some(({ body }) => body.includes(last)));
  return socket.events
    .filter(({ type }) => type.startsWith('message.'))
    .map(({ type, body }) => {
      const { data }: { data: { parts: { value: string }[] } } = JSON.parse(body);
      return `${type} ${data.parts[0]?.value}`;
    });
}

describe.each([
  { blocker: 'the receiver', byReceiver: true },
  { blocker: 'the sender', byReceiver: false },
])('a chat of two, after a block by $blocker', ({ byReceiver }) => {
  async function blocked() {
    const [sender, receiver] = await two();
    const first = chatBody(await messageAgents(relay.client, sender, [receiver], 'before'));
    const [by, of] = byReceiver ? [receiver, sender] : [sender, receiver];
    await block(relay.client, by, of);
    return { sender, receiver, chatId: first.chat_id, lift: () => unblock(relay.client, by, of) };
  }

  it('takes messages and delivers none, not then and not later', async () => {
    const { sender, receiver, chatId, lift } = await blocked();
    const sockets = [await listen(sender), await listen(receiver)] as const;
    const kept = await say(sender, chatId, textMessage('kept'));
    expect(kept.status).toBe(202);
    const sent = { delivery_status: 'sent', delivered_at: null };
    expect(chatBody(kept).message).toMatchObject(sent);
    const again = chatBody(await messageAgents(relay.client, sender, [receiver], 'kept too'));
    expect(again).toMatchObject({ chat_id: chatId, created_new_chat: false, message: sent });
    await lift();
    await say(sender, chatId, textMessage('after'));
    expect(await heard(sockets[1], 'after')).toEqual([
      'message.received before',
      'message.received after',
    ]);
    const sentEvents = await heard(sockets[0], 'message.delivered');
    await sockets[0].until(() => sockets[0].events.at(-1)?.type === 'message.delivered');
    expect(sentEvents).not.toContain('message.delivered kept');
    const ofSender = sockets[0].events.map(({ type }) => type);
    expect(ofSender).toEqual([
      'chat.created',
      'message.sent',
      'message.delivered',
      'message.sent',
      'message.sent',
      'message.sent',
      'message.delivered',
    ]);
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  it('shows them to their sender alone, whichever way it is read', async () => {
    const { sender, receiver, chatId, lift } = await blocked();
    const { id } = chatBody(await say(sender, chatId, textMessage('kept'))).message;
    const path = `/v1/chats/${chatId}/messages`;
    await say(sender, chatId, textMessage('kept too', { reply_to: { message_id: id } }));
    await lift();
    await say(sender, chatId, textMessage('after'));
    await call(receiver, 'POST', `/v1/chats/${chatId}/read`);
    for (const isFlushed of [false, true]) {
      if (isFlushed) await flushRedis(relay.redis.url);
      const all = ['before', 'kept', 'kept too', 'after'];
      expect(textsOf(await page(sender, path))).toEqual(all);
      expect(textsOf(await page(receiver, path))).toEqual(['before', 'after']);
      expect(textsOf(await page(receiver, `${path}?order=desc`))).toEqual(['after', 'before']);
      const short = await page(receiver, `${path}?limit=1`);
      expect(textsOf(short)).toEqual(['before']);
      const rest = await page(receiver, `${path}?limit=1&cursor=${short.next_cursor}`);
      expect([textsOf(rest), rest.next_cursor]).toEqual([['after'], null]);
      for (const below of ['', '/thread']) {
        expect((await call(sender, 'GET', `/v1/messages/${id}${below}`)).status).toBe(200);
        const [hidden, unknown] = [
          await call(receiver, 'GET', `/v1/messages/${id}${below}`),
          await call(receiver, 'GET', `/v1/messages/${randomUUID()}${below}`),
        ];
        expect([hidden.status, hidden.body.error]).toEqual([404, unknown.body.error]);
      }
      const thread = `${path}?thread_originator_message_id=${id}`;
      expect(textsOf(await page(receiver, thread))).toEqual([]);
    }
    expect(await messageAt(sender, id)).toMatchObject({
      delivery_status: 'sent',
      delivered_at: null,
      read_at: null,
      deliveries: [],
    });
  });

  it('looks to the other as if nothing had been written', async () => {
    const { sender, receiver, chatId } = await blocked();
    const third = await relay.client.createAgent();
    const later = chatBody(await messageAgents(relay.client, receiver, [third])).chat_id;
    const before = await page(receiver, '/v1/chats');
    const { id } = chatBody(await say(sender, chatId, textMessage('kept'))).message;
    expect(await page(receiver, '/v1/chats')).toEqual(before);
    expect(before.chats.map((chat) => chat.id)).toEqual([later, chatId]);
    expect((await page(sender, '/v1/chats')).chats[0]?.updated_at).not.toBe(
      before.chats.at(-1)?.updated_at,
    );
    const replyTo = (message_id: string) =>
      say(receiver, chatId, textMessage('?', { reply_to: { message_id } }));
    const [toKept, toUnknown] = [await replyTo(id), await replyTo(randomUUID())];
    expect([toKept.status, toKept.body.error]).toEqual([400, toUnknown.body.error]);
  });

  it('answers the same message alike when it comes again', async () => {
    const { sender, receiver, chatId, lift } = await blocked();
    const send = (path: string, body: object) =>
      relay.client.send('POST', path, {
        token: sender.token,
        body,
        headers: { 'idempotency-key': 'once' },
      });
    const body = { to: [receiver.handle], message: textMessage('kept') };
    const first = await send('/v1/messages', body);
    await lift();
    expect(chatBody(await send('/v1/messages', body)).message).toEqual(chatBody(first).message);
    const path = `/v1/chats/${chatId}/messages`;
    expect(textsOf(await page(receiver, path))).toEqual(['before']);
  });
});

describe('a message at the address of an agent that takes no tasks', () => {
  it('is not answered by what the agent writes after it has blocked its sender', async () => {
    const [sender, receiver] = await two();
    await call(receiver, 'PATCH', '/v1/me', { accepts_tasks: false });
    const socket = await listen(receiver);
    const asking = relay.client.rpc({
      from: sender,
      to: receiver,
      method: 'SendMessage',
      params: { message: message('Are you there?') },
    });
    await socket.until(() => socket.events.some(({ type }) => type === 'message.received'));
    await block(relay.client, receiver, sender);
    const [chat] = (await page(receiver, '/v1/chats')).chats;
    await say(receiver, chat?.id ?? '', textMessage('To myself'));
    const { body } = await asking;
    expect(body.error.data[0]).toMatchObject({ reason: 'DEADLINE_EXCEEDED' });
    await socket.close();
  });
});

describe('a group', () => {
  it('keeps from who blocks what the blocked one writes, and nothing else from anybody', async () => {
    const [blocker, blocked, third] = await newAgents(3);
    if (!blocker || !blocked || !third) throw new Error('no agents');
    const group = await messageAgents(relay.client, blocker, [blocked, third], 'begin');
    const { chat_id: chatId } = chatBody(group);
    await block(relay.client, blocker, blocked);
    const sockets = [await listen(blocker), await listen(blocked), await listen(third)] as const;
    const sent = chatBody(await say(blocked, chatId, textMessage('from the blocked')));
    expect(sent.message.delivery_status).toBe('delivered');
    await say(blocker, chatId, textMessage('from the blocker'));
    await say(third, chatId, textMessage('last'));
    const received = async (socket: AgentSocket) =>
      (await heard(socket, 'last')).filter((each) => each.startsWith('message.received'));
    expect(await received(sockets[0])).toEqual(['message.received last']);
    expect(await received(sockets[1])).toEqual([
      'message.received begin',
      'message.received from the blocker',
      'message.received last',
    ]);
    expect(await received(sockets[2])).toEqual([
      'message.received begin',
      'message.received from the blocked',
      'message.received from the blocker',
    ]);
    const path = `/v1/chats/${chatId}/messages`;
    const all = ['begin', 'from the blocked', 'from the blocker', 'last'];
    expect(textsOf(await page(third, path))).toEqual(all);
    expect(textsOf(await page(blocker, path))).toEqual(['begin', 'from the blocker', 'last']);
    await call(third, 'POST', `/v1/chats/${chatId}/read`);
    const { deliveries } = await messageAt(blocked, sent.message.id);
    expect(deliveries.map(({ contact }) => contact.id)).toEqual([third.id]);
    await Promise.all(sockets.map((socket) => socket.close()));
  });
});
