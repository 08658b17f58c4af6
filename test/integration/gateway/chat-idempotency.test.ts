import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import type { Answer, TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({ config: { chatMessageRate: 1_000, messageRate: 1_000 } });

async function two(): Promise<[TestAgent, TestAgent]> {
  return [await relay.client.createAgent(), await relay.client.createAgent()];
}

const post = (agent: TestAgent, path: string, body: unknown, key?: string) =>
  relay.client.send('POST', path, {
    token: agent.token,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

const refusalOf = ({ status, body }: Answer) => [status, body.error.code];

async function messagesOf(agent: TestAgent, chatId: string): Promise<number> {
  const path = `/v1/chats/${chatId}/messages?limit=100`;
  const { text } = await relay.client.send('GET', path, { token: agent.token });
  const page: { readonly messages: readonly unknown[] } = JSON.parse(text);
  return page.messages.length;
}

describe('a message with an idempotency key', () => {
  it('is the same message whether the key is in the header, in the body, or in both', async () => {
    const [one, other] = await two();
    const content = (fields: object = {}) => ({
      to: [other.handle],
      message: { ...textMessage('hello'), ...fields },
    });
    const inBody = { idempotency_key: 'k' };
    const answers = [
      await post(one, '/v1/messages', content(), 'k'),
      await post(one, '/v1/messages', content(inBody)),
      await post(one, '/v1/messages', content(inBody), 'k'),
    ];
    const [first] = answers;
    for (const answer of answers) expect(answer.text).toBe(first?.text);
    const different = await post(one, '/v1/messages', content(inBody), 'other');
    expect(refusalOf(different)).toEqual([400, 1005]);
    for (const key of ['', 'k'.repeat(256)]) {
      expect(refusalOf(await post(one, '/v1/messages', content(), key))).toEqual([400, 1005]);
    }
  });

  it('is answered as it was at first however much was written since', async () => {
    const [one, other] = await two();
    const body = { to: [other.handle], message: textMessage('first') };
    const first = await post(one, '/v1/messages', body, 'k');
    const { chat_id } = chatBody(first);
    const path = `/v1/chats/${chat_id}/messages`;
    const reply = textMessage('in its thread', {
      reply_to: { message_id: chatBody(first).message.id },
    });
    const threaded = await post(one, path, { message: reply }, 't');
    // More than the chat itself remembers.
    for (let n = 0; n < 130; n += 1) await messageAgents(relay.client, other, [one], `${n}`);
    const again = chatBody(await post(one, '/v1/messages', body, 'k'));
    expect(again).toEqual(chatBody(first));
    expect((await post(one, path, { message: reply }, 't')).text).toBe(threaded.text);
    const forward = `${path}?order=desc&limit=100`;
    const { text } = await relay.client.send('GET', forward, { token: one.token });
    expect(text).not.toContain('in its thread');
  });

  it('conflicts with another body or target on every route, and only for the same agent', async () => {
    const [one, other] = await two();
    const content = (text: string) => ({ message: textMessage(text) });
    const sent = await post(one, '/v1/messages', { to: [other.handle], ...content('a') }, 'k');
    const { chat_id } = chatBody(sent);
    const conflicts = [
      await post(one, '/v1/messages', { to: [other.handle], ...content('b') }, 'k'),
      await post(one, '/v1/messages', { to: [relay.worker.handle], ...content('a') }, 'k'),
      await post(
        one,
        '/v1/chats',
        { from: one.handle, to: [relay.worker.handle], ...content('a') },
        'k',
      ),
      await post(one, `/v1/chats/${chat_id}/messages`, content('a'), 'k'),
    ];
    expect(conflicts.map(refusalOf)).toEqual(conflicts.map(() => [409, 1005]));
    const fromOther = await post(other, `/v1/chats/${chat_id}/messages`, content('a'), 'k');
    expect(fromOther.status).toBe(202);
    expect(await messagesOf(one, chat_id)).toBe(2);
  });
});

describe('a message that is larger than a chat holds', () => {
  it('is refused, and leaves the chat as it was', async () => {
    const [one, other] = await two();
    const { chat_id } = chatBody(await messageAgents(relay.client, one, [other]));
    const data = { type: 'data', media_type: 'application/a2ui+json', data: 'x'.repeat(4_500_000) };
    const tooLarge = await post(one, `/v1/chats/${chat_id}/messages`, {
      message: { parts: [data] },
    });
    expect(refusalOf(tooLarge)).toEqual([413, 1005]);
    const large = { ...data, data: 'x'.repeat(3_500_000) };
    const taken = await post(one, `/v1/chats/${chat_id}/messages`, { message: { parts: [large] } });
    expect(taken.status).toBe(202);
    expect(await messagesOf(one, chat_id)).toBe(2);
  });
});
