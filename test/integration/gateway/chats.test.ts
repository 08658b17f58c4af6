import type { Chat, ChatMessageView } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import type { Answer, TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

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

function pageOf({ text }: Answer): Page {
  const page: Page = JSON.parse(text);
  return page;
}

const newAgents = (count: number) =>
  Promise.all(Array.from({ length: count }, () => relay.client.createAgent()));

async function two(): Promise<[TestAgent, TestAgent]> {
  const [one, other] = await newAgents(2);
  if (!one || !other) throw new Error('no agents');
  return [one, other];
}

const textsOf = ({ messages }: Page) =>
  messages.map(({ parts }) => parts?.map((part) => part['value']).join());

/** All pages of a list, from its beginning. */
async function pages(agent: TestAgent, path: string): Promise<Page[]> {
  const found: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await call(agent, 'GET', cursor === '' ? path : `${path}&cursor=${cursor}`);
    const page = pageOf(answer);
    found.push(page);
    cursor = page.next_cursor;
  }
  return found;
}

describe('a direct chat', () => {
  it('is the one of two agents, whoever writes first', async () => {
    const [one, other] = await two();
    const first = chatBody(await messageAgents(relay.client, one, [other]));
    expect(first).toMatchObject({ created_new_chat: true, is_group: false });
    const second = chatBody(await messageAgents(relay.client, other, [one]));
    expect(second).toMatchObject({ chat_id: first.chat_id, created_new_chat: false });
    const list = pageOf(await call(one, 'GET', '/v1/chats'));
    expect(list.chats.map(({ id }) => id)).toEqual([first.chat_id]);
  });

  it('pages its messages both ways, each cursor for its own list', async () => {
    const [one, other] = await two();
    const { chat_id } = chatBody(await messageAgents(relay.client, one, [other], 'm1'));
    for (const text of ['m2', 'm3', 'm4', 'm5']) {
      await messageAgents(relay.client, one, [other], text);
    }
    const path = `/v1/chats/${chat_id}/messages?limit=2`;
    const forward = await pages(other, path);
    expect(forward.map(textsOf)).toEqual([['m1', 'm2'], ['m3', 'm4'], ['m5']]);
    const backward = await pages(other, `${path}&order=desc`);
    expect(backward.map(textsOf)).toEqual([['m5', 'm4'], ['m3', 'm2'], ['m1']]);
    const cursor = forward[0]?.next_cursor;
    const mixed = await call(other, 'GET', `${path}&order=desc&cursor=${cursor}`);
    expect(mixed.status).toBe(400);
  });

  it('is read when the other has marked it so, and keeps when', async () => {
    const [one, other] = await two();
    const sent = chatBody(await messageAgents(relay.client, one, [other]));
    const read = async () => {
      const { text } = await call(one, 'GET', `/v1/messages/${sent.message.id}`);
      const message: ChatMessageView = JSON.parse(text);
      return message;
    };
    expect(await read()).toMatchObject({ delivery_status: 'delivered', read_at: null });
    const path = `/v1/chats/${sent.chat_id}/read`;
    expect((await call(other, 'POST', path)).status).toBe(204);
    const first = await read();
    expect(first).toMatchObject({ delivery_status: 'read', read_at: expect.any(String) });
    await messageAgents(relay.client, one, [other]);
    await call(other, 'POST', path);
    expect(await read()).toEqual(first);
  });

  it('keeps replies in their thread', async () => {
    const [one, other] = await two();
    const { chat_id, message } = chatBody(await messageAgents(relay.client, one, [other]));
    const path = `/v1/chats/${chat_id}/messages`;
    const reply = (id: string) => textMessage(id, { reply_to: { message_id: id } });
    const second = chatBody(await call(other, 'POST', path, { message: reply(message.id) }));
    await call(one, 'POST', path, { message: reply(second.message.id) });
    const thread = pageOf(await call(one, 'GET', `/v1/messages/${message.id}/thread`));
    expect(textsOf(thread)).toEqual([message.id, second.message.id]);
    const unknown = { message: reply(crypto.randomUUID()) };
    expect((await call(one, 'POST', path, unknown)).status).toBe(400);
  });

  it('is no group', async () => {
    const [one, other] = await two();
    const { chat_id } = chatBody(await messageAgents(relay.client, one, [other]));
    const path = `/v1/chats/${chat_id}`;
    const answers = [
      await call(one, 'PUT', path, { display_name: 'x' }),
      await call(one, 'POST', `${path}/leave`),
      await call(one, 'POST', `${path}/participants`, { handle: relay.worker.handle }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
  });
});

describe('a message', () => {
  it('is sent once with one idempotency key, and refused with another content', async () => {
    const [one, other] = await two();
    const send = (text: string, key = 'k') =>
      relay.client.send('POST', '/v1/messages', {
        token: one.token,
        headers: { 'idempotency-key': key },
        body: { to: [other.handle], message: textMessage(text) },
      });
    const sent = await Promise.all([send('hello'), send('hello'), send('hello')]);
    const ids = sent.map((answer) => chatBody(answer).message.id);
    expect(new Set(ids).size).toBe(1);
    expect(chatBody(await send('hello'))).toEqual(chatBody(sent[0] ?? { text: '' }));
    const conflict = await send('other');
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 1005]);
    const { chat_id } = chatBody(await send('hello'));
    const page = pageOf(await call(one, 'GET', `/v1/chats/${chat_id}/messages`));
    expect(page.messages).toHaveLength(1);
  });

  it('keeps to the limits of its parts', async () => {
    const [one, other] = await two();
    const status = async (parts: unknown, path = '/v1/messages') => {
      const body = { ...(path === '/v1/chats' ? { from: one.handle } : {}), to: [other.handle] };
      return (await call(one, 'POST', path, { ...body, message: { parts } })).status;
    };
    const link = { type: 'link', value: 'https://x.example/' };
    const text = { type: 'text', value: 'x' };
    expect(await status([])).toBe(400);
    expect(await status([{ type: 'text', value: 'x'.repeat(10_001) }])).toBe(400);
    expect(await status([link, text])).toBe(400);
    expect(await status([link], '/v1/chats')).toBe(400);
    expect(await status([{ type: 'media', url: 'http://x.example/' }])).toBe(400);
    const data = { type: 'data', media_type: 'text/html', data: {} };
    expect(await status([data])).toBe(422);
    expect(await status([link])).toBe(202);
  });
});

describe('a group', () => {
  it('shows who came and went, and nothing to those who are out', async () => {
    const [one, two_, three, guest] = await newAgents(4);
    if (!one || !two_ || !three || !guest) throw new Error('no agents');
    const { chat_id, is_group } = chatBody(await messageAgents(relay.client, one, [two_, three]));
    expect(is_group).toBe(true);
    const again = chatBody(await messageAgents(relay.client, three, [one, two_]));
    expect(again.chat_id).toBe(chat_id);
    const path = `/v1/chats/${chat_id}`;
    await call(two_, 'PUT', path, { display_name: 'Trip' });
    const added = { handle: guest.handle, hide_history: true };
    expect((await call(one, 'POST', `${path}/participants`, added)).status).toBe(202);
    await call(one, 'DELETE', `${path}/participants`, { handle: three.handle });
    await call(two_, 'POST', `${path}/leave`);
    const seen = pageOf(await call(guest, 'GET', `${path}/messages`));
    expect(seen.messages.map(({ system_event }) => system_event)).toEqual([
      'participant.added',
      'participant.removed',
      'participant.removed',
    ]);
    for (const gone of [two_, three, relay.worker]) {
      const statuses = [
        await call(gone, 'GET', path),
        await call(gone, 'GET', `${path}/messages`),
        await call(gone, 'POST', `${path}/messages`, { message: textMessage('x') }),
        await call(gone, 'POST', `${path}/read`),
        await call(gone, 'GET', `/v1/messages/${again.message.id}`),
      ].map(({ status }) => status);
      expect(statuses).toEqual([404, 404, 404, 404, 404]);
      expect(pageOf(await call(gone, 'GET', '/v1/chats')).chats).toEqual([]);
    }
    const fresh = chatBody(await messageAgents(relay.client, one, [two_, three]));
    expect(fresh.chat_id).not.toBe(chat_id);
  });
});
