import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import {
  chatShape,
  handleShape,
  historyShape,
  sentShape,
  shapes,
} from '../../support/chat-shapes.ts';
import type { Answer, TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const call = (agent: TestAgent, method: string, path: string, body?: unknown) =>
  relay.client.send(method, path, {
    token: agent.token,
    ...(body === undefined ? {} : { body }),
  });

const jsonOf = ({ status, text }: Answer): unknown => [status, text && JSON.parse(text)];

const newAgent = () => relay.client.createAgent({ acceptsTasks: false });

/** Two new agents, and what the first wrote to the second. */
async function direct() {
  const [one, other] = [await newAgent(), await newAgent()];
  const answer = await messageAgents(relay.client, one, [other]);
  const { chat_id: chatId, message } = chatBody(answer);
  return { one, other, chatId, messageId: message.id, answer };
}

describe('the answers of the routes of chats, field by field', () => {
  it('to a message to agents, to a new chat, and to a message to a chat', async () => {
    const { one, other, chatId, answer } = await direct();
    const handles = [handleShape(one, true), handleShape(other, false)];
    expect(jsonOf(answer)).toEqual([
      202,
      {
        chat_id: chatId,
        created_new_chat: true,
        from: one.handle,
        is_group: false,
        handles,
        message: sentShape(one),
      },
    ]);
    const created = await call(one, 'POST', '/v1/chats', {
      from: one.handle,
      to: [other.handle],
      message: textMessage('hello'),
    });
    expect(jsonOf(created)).toEqual([
      201,
      {
        chat: {
          id: chatId,
          display_name: other.handle,
          is_group: false,
          handles,
          message: sentShape(one),
        },
      },
    ]);
    const sent = await call(one, 'POST', `/v1/chats/${chatId}/messages`, {
      message: textMessage('hello'),
    });
    expect(jsonOf(sent)).toEqual([202, { chat_id: chatId, message: sentShape(one) }]);
  });

  it('to who asks for a chat, or for its chats', async () => {
    const { one, other, chatId } = await direct();
    const chat = chatShape(chatId, [handleShape(one, true), handleShape(other, false)], {
      display_name: other.handle,
    });
    expect(jsonOf(await call(one, 'GET', `/v1/chats/${chatId}`))).toEqual([200, chat]);
    const list = await call(one, 'GET', '/v1/chats');
    expect(jsonOf(list)).toEqual([200, { chats: [chat], next_cursor: null }]);
  });

  it('to who asks for messages, one message or its thread, from both sides', async () => {
    const { one, other, chatId, messageId } = await direct();
    const reply = await call(other, 'POST', `/v1/chats/${chatId}/messages`, {
      message: textMessage('hello', { reply_to: { message_id: messageId }, metadata: { a: 1 } }),
    });
    const replyId = chatBody(reply).message.id;
    for (const viewer of [one, other]) {
      const first = historyShape({ chatId, from: one, to: other, viewer }, { id: messageId });
      const second = historyShape(
        { chatId, from: other, to: one, viewer },
        {
          id: replyId,
          reply_to: { message_id: messageId, part_index: 0 },
          thread: { originator_message_id: messageId, originator_part_index: 0 },
          metadata: { a: 1 },
        },
      );
      const messages = await call(viewer, 'GET', `/v1/chats/${chatId}/messages`);
      expect(jsonOf(messages)).toEqual([200, { messages: [first, second], next_cursor: null }]);
      expect(jsonOf(await call(viewer, 'GET', `/v1/messages/${messageId}`))).toEqual([200, first]);
      const thread = await call(viewer, 'GET', `/v1/messages/${messageId}/thread`);
      expect(jsonOf(thread)).toEqual([200, { messages: [second], next_cursor: null }]);
    }
    await call(other, 'POST', `/v1/chats/${chatId}/read`);
    const read = historyShape(
      { chatId, from: one, to: other, viewer: one },
      {
        id: messageId,
        delivery_status: 'read',
        read_at: shapes.aTime,
        deliveries: [
          {
            contact: handleShape(other, false),
            delivered_at: shapes.aTime,
            read_at: shapes.aTime,
          },
        ],
      },
    );
    expect(jsonOf(await call(one, 'GET', `/v1/messages/${messageId}`))).toEqual([200, read]);
  });

  it('to who changes a group, and in its history', async () => {
    const [one, two, three, guest] = [
      await newAgent(),
      await newAgent(),
      await newAgent(),
      await newAgent(),
    ];
    const { chat_id } = chatBody(await messageAgents(relay.client, one, [two, three]));
    const path = `/v1/chats/${chat_id}`;
    const accepted = [
      202,
      {
        status: 'accepted',
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        message: expect.any(String),
      },
    ];
    const changed = await call(one, 'PUT', path, { display_name: 'Trip' });
    expect(jsonOf(changed)).toEqual([202, { status: 'accepted', chat_id }]);
    const answers = [
      await call(one, 'POST', `${path}/participants`, { handle: guest.handle }),
      await call(one, 'DELETE', `${path}/participants`, { handle: two.handle }),
      await call(three, 'POST', `${path}/leave`),
    ];
    expect(answers.map(jsonOf)).toEqual([accepted, accepted, accepted]);
    expect(jsonOf(await call(one, 'POST', `${path}/read`))).toEqual([204, '']);
    const system = (event: string, more: object = {}) => ({
      id: shapes.anId,
      chat_id,
      from: null,
      from_handle: null,
      parts: [{ type: 'system', event, by: handleShape(one, true), ...more }],
      reply_to: null,
      thread: null,
      is_from_me: false,
      delivery_status: 'delivered',
      created_at: shapes.aTime,
      updated_at: shapes.aTime,
      sent_at: shapes.aTime,
      delivered_at: shapes.aTime,
      read_at: null,
      edited_at: null,
      unsent_at: null,
      silent: true,
      deliveries: [],
      is_system_message: true,
      system_event: event,
    });
    const gone = { status: 'removed', left_at: shapes.aTime };
    const left = { status: 'left', left_at: shapes.aTime };
    const history = await call(one, 'GET', `${path}/messages`);
    expect(jsonOf(history)).toMatchObject([200, { next_cursor: null }]);
    const page: { readonly messages: readonly unknown[] } = JSON.parse(history.text);
    expect(page.messages.slice(1)).toEqual([
      system('chat.group_name_updated', { display_name: 'Trip', group_chat_icon: null }),
      system('participant.added', { participant: handleShape(guest, false) }),
      system('participant.removed', { participant: handleShape(two, false, gone) }),
      system('participant.removed', {
        by: handleShape(three, false, left),
        participant: handleShape(three, false, left),
      }),
    ]);
  });
});
