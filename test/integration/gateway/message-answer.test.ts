import type { ReceivedEvent } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { startTestDelivery, type TestDelivery } from '../../support/delivery.ts';
import { message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 2 } });

const newConcierge = () => relay.client.createAgent({ acceptsTasks: false });

const ask = (to: TestAgent, sent = message(), method = 'SendMessage') =>
  relay.client.rpc({ from: relay.planner, to, method, params: { message: sent } });

/** The chat of the planner and the agent, read as soon as it is there. */
async function chatWith(agent: TestAgent): Promise<string> {
  const answer = await messageAgents(relay.client, agent, [relay.planner], 'Hello first.');
  return chatBody(answer).chat_id;
}

const say = (from: TestAgent, chatId: string, content: object) =>
  relay.client.send('POST', `/v1/chats/${chatId}/messages`, {
    token: from.token,
    body: { message: content },
  });

let delivery: TestDelivery;

beforeAll(async () => {
  delivery = await startTestDelivery(relay.nats.url);
});

afterAll(() => delivery?.close());

/** The events of the agent, as its WebSocket has them. */
const listen = ({ token }: TestAgent) =>
  AgentSocket.open({ url: delivery.url, token, acknowledges: true });

async function received(socket: AgentSocket, count = 1) {
  const events = () => socket.events.filter(({ type }) => type === 'message.received');
  await socket.until(() => events().length >= count);
  const event: { readonly data: ReceivedEvent } = JSON.parse(events().at(count - 1)?.body ?? '');
  return { ...event.data, taskId: event.data.a2a?.task_id ?? 'none' };
}

describe('SendMessage to an agent that takes no tasks', () => {
  it('reaches it in their chat, and is answered with what it says there', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const socket = await listen(concierge);
    const sent = message('A table for two?');
    const answering = ask(concierge, sent);
    const event = await received(socket);
    expect(event).toMatchObject({
      chat_id: chatId,
      from: relay.planner.handle,
      is_from_me: false,
      parts: [{ type: 'text', value: 'A table for two?' }],
      a2a: { message_id: sent.messageId, task_id: expect.any(String) },
    });
    const reply = chatBody(await say(concierge, chatId, textMessage('At eight.'))).message;
    const { body } = await answering;
    expect(body.result).toEqual({
      message: {
        messageId: reply.id,
        contextId: chatId,
        role: 'ROLE_AGENT',
        parts: [{ text: 'At eight.' }],
      },
    });
    expect((await ask(concierge, sent)).body).toEqual(body);
    await socket.close();
  });

  it('says when the time is up what waits where, and is answered when it is sent again', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const sent = message();
    const { status, body } = await ask(concierge, sent);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: -32603,
      data: [
        {
          reason: 'DEADLINE_EXCEEDED',
          metadata: {
            contextId: chatId,
            messageId: sent.messageId,
            relayMessageId: expect.any(String),
          },
        },
      ],
    });
    await say(concierge, chatId, textMessage('Here I am.'));
    expect((await ask(concierge, sent)).body.result.message.parts).toEqual([
      { text: 'Here I am.' },
    ]);
  });

  it('is answered by name where two wait, each with its own', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const socket = await listen(concierge);
    const first = ask(concierge, message('one'));
    const { id: one } = await received(socket, 1);
    const second = ask(concierge, message('two'));
    const { id: two } = await received(socket, 2);
    await say(concierge, chatId, textMessage('to nobody'));
    await say(concierge, chatId, textMessage('second', { reply_to: { message_id: two } }));
    await say(concierge, chatId, textMessage('first', { reply_to: { message_id: one } }));
    const texts = (await Promise.all([first, second])).map(({ body }) => body.result.message.parts);
    expect(texts).toEqual([[{ text: 'first' }], [{ text: 'second' }]]);
    await socket.close();
  });

  it('becomes a task by a status, which answers it', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const socket = await listen(concierge);
    const sent = message('Plan a trip.');
    const answering = ask(concierge, sent);
    const { taskId } = await received(socket);
    const path = `/v1/tasks/${taskId}`;
    const { token } = concierge;
    const hidden = await relay.client.send('GET', path, { token });
    expect(hidden.status).toBe(404);
    await relay.client.send('POST', `${path}/status`, { token, body: { state: 'WORKING' } });
    const { result } = (await answering).body;
    expect(result.task).toMatchObject({
      id: taskId,
      contextId: chatId,
      status: { state: 'TASK_STATE_WORKING' },
      history: [{ messageId: sent.messageId, role: 'ROLE_USER' }],
    });
    await say(concierge, chatId, textMessage('still here'));
    const done = await relay.client.send('POST', `${path}/status`, {
      token,
      body: { state: 'COMPLETED' },
    });
    expect(done.status).toBe(200);
    expect((await ask(concierge, sent)).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    await socket.close();
  });

  it('cannot become a task once it was answered in the chat', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const socket = await listen(concierge);
    const answering = ask(concierge);
    const { taskId } = await received(socket);
    await say(concierge, chatId, textMessage('Done.'));
    await answering;
    const path = `/v1/tasks/${taskId}/status`;
    const body = { state: 'WORKING' };
    const refused = await relay.client.send('POST', path, { token: concierge.token, body });
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 2034, message: 'This message was already answered in the chat.' },
    ]);
    await socket.close();
  });

  it('streams the one Message, or the Task and what follows', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const socket = await listen(concierge);
    const stream = (sent = message()) =>
      relay.client.stream({
        from: relay.planner,
        to: concierge,
        method: 'SendStreamingMessage',
        params: { message: sent },
      });
    const first = await stream();
    await received(socket, 1);
    await say(concierge, chatId, textMessage('Yes.'));
    expect((await first.rest()).map(({ data }) => data.result)).toMatchObject([
      { message: { contextId: chatId, parts: [{ text: 'Yes.' }] } },
    ]);
    const second = await stream();
    const { taskId } = await received(socket, 2);
    const { token } = concierge;
    const path = `/v1/tasks/${taskId}/status`;
    await relay.client.send('POST', path, { token, body: { state: 'WORKING' } });
    expect((await second.next())?.data.result?.task?.id).toBe(taskId);
    await relay.client.send('POST', path, { token, body: { state: 'COMPLETED' } });
    const [last, ...more] = await second.rest();
    expect(more).toEqual([]);
    expect(last?.data.result?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
    const late = await (await stream()).rest();
    expect(late.map(({ data }) => data.error?.code)).toEqual([-32603]);
    await socket.close();
  });

  it('takes its parts as a chat does, and no other context than the chat', async () => {
    const concierge = await newConcierge();
    const chatId = await chatWith(concierge);
    const socket = await listen(concierge);
    const code = async (fields: Record<string, unknown>) =>
      (await ask(concierge, message('x', fields))).body.error.code;
    expect(await code({ contextId: 'other' })).toBe(-32602);
    expect(await code({ parts: [{ raw: 'eA==', mediaType: 'text/plain' }] })).toBe(-32005);
    expect(await code({ parts: [{ data: {} }] })).toBe(-32005);
    const parts = [
      { text: 'one' },
      { text: 'two' },
      { url: 'https://x.example/menu.pdf', filename: 'menu.pdf' },
      { data: { a: 1 }, mediaType: 'application/a2ui+json' },
    ];
    const answering = ask(concierge, message('x', { contextId: chatId, parts }));
    expect((await received(socket)).parts).toMatchObject([
      { type: 'text', value: 'one\ntwo' },
      { type: 'media', url: 'https://x.example/menu.pdf', filename: 'menu.pdf' },
      { type: 'data', media_type: 'application/a2ui+json', data: { a: 1 } },
    ]);
    await say(concierge, chatId, { parts: [{ type: 'link', value: 'https://x.example/' }] });
    expect((await answering).body.result.message.parts).toEqual([{ text: 'https://x.example/' }]);
    await socket.close();
  });
});
