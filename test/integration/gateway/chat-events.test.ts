import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { useListening } from '../../support/chat-listening.ts';
import {
  chatShape,
  envelopeShape,
  handleShape,
  messageEventShape,
  shapes,
  textInEvent,
} from '../../support/chat-shapes.ts';
import { message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { WebhookClient } from '../../support/webhook-client.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const webhookRetrySeconds = [0.05];
const relay = useGateway({ config: { webhookRetrySeconds, sendWaitSeconds: 1 } });
const listenTo = useListening(() => relay.nats, { webhookRetrySeconds });

const call = (agent: TestAgent, method: string, path: string, body?: unknown) =>
  relay.client.send(method, path, {
    token: agent.token,
    ...(body === undefined ? {} : { body }),
  });

const newAgent = () => relay.client.createAgent({ acceptsTasks: false });

/** Two new agents that listen, and what the first wrote to the second. */
async function direct() {
  const [one, other] = [await newAgent(), await newAgent()];
  const [hearsOne, hearsOther] = [await listenTo(one), await listenTo(other)];
  const { chat_id: chatId, message: sent } = chatBody(
    await messageAgents(relay.client, one, [other]),
  );
  return { one, other, hearsOne, hearsOther, chatId, messageId: sent.id };
}

describe('the events of a direct chat, field by field', () => {
  it('tell both of the chat, and each of the message', async () => {
    const { one, other, hearsOne, hearsOther, chatId, messageId } = await direct();
    const about = { chatId, messageId, from: one };
    const sent = messageEventShape({ ...about, to: one });
    const received = messageEventShape({
      ...about,
      to: other,
      fields: { metadata: null, a2a: null },
    });
    await hearsOne.untilHeard('message.delivered');
    expect(hearsOne.heard()).toEqual([
      envelopeShape(
        'chat.created',
        one,
        chatShape(chatId, [handleShape(one, true), handleShape(other, false)], {
          display_name: other.handle,
        }),
      ),
      envelopeShape('message.sent', one, sent),
      envelopeShape('message.delivered', one, sent),
    ]);
    await hearsOther.untilHeard('message.received');
    expect(hearsOther.heard()).toEqual([
      envelopeShape(
        'chat.created',
        other,
        chatShape(chatId, [handleShape(one, false), handleShape(other, true)], {
          display_name: one.handle,
        }),
      ),
      envelopeShape('message.received', other, received),
    ]);
  });

  it('tell the sender of each message once when the other has read it', async () => {
    const { one, other, hearsOne, chatId, messageId } = await direct();
    const path = `/v1/chats/${chatId}/read`;
    const second = chatBody(await messageAgents(relay.client, one, [other])).message.id;
    await call(one, 'POST', path);
    await call(other, 'POST', path);
    await call(other, 'POST', path);
    const last = chatBody(await messageAgents(relay.client, one, [other])).message.id;
    await call(other, 'POST', path);
    const ids = [messageId, second, last];
    expect(await hearsOne.untilHeard('message.read', 3)).toEqual(
      ids.map((id) =>
        envelopeShape(
          'message.read',
          one,
          messageEventShape({
            chatId,
            messageId: id,
            from: one,
            to: one,
            fields: { read_at: shapes.aTime },
          }),
        ),
      ),
    );
    await call(other, 'POST', path);
    await messageAgents(relay.client, one, [other]);
    await hearsOne.untilHeard('message.delivered', 4);
    expect(hearsOne.heard('message.read')).toHaveLength(3);
  });

  it('show a reply, its thread, its key, its metadata and all kinds of parts', async () => {
    const { one, other, hearsOne, chatId, messageId } = await direct();
    const metadata = { a2uiClientCapabilities: { 'v0.9': { supportedCatalogIds: [] } } };
    const content = {
      parts: [
        { type: 'text', value: 'see' },
        { type: 'media', url: 'https://x.example/a.png' },
        { type: 'data', media_type: 'application/a2ui+json', data: { a: 1 } },
      ],
      reply_to: { message_id: messageId },
      idempotency_key: 'k1',
      silent: true,
      metadata,
    };
    const answer = await call(other, 'POST', `/v1/chats/${chatId}/messages`, { message: content });
    const reply = { message_id: messageId, part_index: 0 };
    const [event] = await hearsOne.untilHeard('message.received');
    const fields = {
      idempotency_key: 'k1',
      parts: [
        textInEvent('see'),
        {
          type: 'media',
          url: 'https://x.example/a.png',
          filename: null,
          media_type: null,
          reactions: null,
        },
        { type: 'data', media_type: 'application/a2ui+json', data: { a: 1 }, reactions: null },
      ],
      silent: true,
      reply_to: reply,
      thread: { originator_message_id: messageId, originator_part_index: 0 },
      metadata,
      a2a: null,
    };
    const about = { chatId, messageId: chatBody(answer).message.id, from: other, to: one };
    expect(event).toEqual(
      envelopeShape('message.received', one, messageEventShape({ ...about, fields })),
    );
  });

  it('name the message and the reserved task of what came to the A2A address', async () => {
    const { one, other, hearsOne, hearsOther, chatId } = await direct();
    const asked = message('hello', { metadata: { b: 2 } });
    await relay.client.rpc({
      from: one,
      to: other,
      method: 'SendMessage',
      params: { message: asked },
    });
    const [, event] = await hearsOther.untilHeard('message.received', 2);
    const a2a = { message_id: asked.messageId, task_id: shapes.anId };
    const fields = { metadata: { b: 2 }, a2a };
    const about = { chatId, messageId: expect.any(String), from: one };
    expect(event).toEqual(
      envelopeShape('message.received', other, messageEventShape({ ...about, to: other, fields })),
    );
    const [, sent] = await hearsOne.untilHeard('message.sent', 2);
    expect(sent).toEqual(
      envelopeShape('message.sent', one, messageEventShape({ ...about, to: one })),
    );
  });
});

describe('the events of a group, field by field', () => {
  it('tell its members who comes, goes and is taken out', async () => {
    const [one, two, three, guest] = [
      await newAgent(),
      await newAgent(),
      await newAgent(),
      await newAgent(),
    ];
    const [hears, hearsTwo, hearsGuest] = [
      await listenTo(one),
      await listenTo(two),
      await listenTo(guest),
    ];
    const { chat_id: chatId } = chatBody(await messageAgents(relay.client, one, [two, three]));
    const path = `/v1/chats/${chatId}`;
    await call(one, 'POST', `${path}/participants`, { handle: guest.handle });
    await call(one, 'DELETE', `${path}/participants`, { handle: two.handle });
    await call(three, 'POST', `${path}/leave`);
    const added = (isMe: boolean) => ({
      chat_id: chatId,
      participant: handleShape(guest, isMe),
      added_at: shapes.aTime,
    });
    const removed = (agent: TestAgent, status: string, isMe = false) => ({
      chat_id: chatId,
      participant: handleShape(agent, isMe, { status, left_at: shapes.aTime }),
      removed_at: shapes.aTime,
    });
    await hears.untilHeard('participant.removed', 2);
    const [created] = hears.heard('chat.created');
    const members = [handleShape(one, true), handleShape(two, false), handleShape(three, false)];
    expect(created).toEqual(
      envelopeShape(
        'chat.created',
        one,
        chatShape(chatId, members, {
          display_name: `${two.handle} & ${three.handle}`,
          is_group: true,
        }),
      ),
    );
    expect(hears.heard().slice(3)).toEqual([
      envelopeShape('participant.added', one, added(false)),
      envelopeShape('participant.removed', one, removed(two, 'removed')),
      envelopeShape('participant.removed', one, removed(three, 'left')),
    ]);
    await hearsTwo.untilHeard('participant.removed');
    expect(hearsTwo.heard('participant.removed')).toEqual([
      envelopeShape('participant.removed', two, removed(two, 'removed', true)),
    ]);
    await hearsGuest.untilHeard('participant.removed', 2);
    expect(hearsGuest.types).toEqual([
      'participant.added',
      'participant.removed',
      'participant.removed',
    ]);
    expect(hearsGuest.heard('participant.added')).toEqual([
      envelopeShape('participant.added', guest, added(true)),
    ]);
  });

  it('tell of a message as read only when all others have read it', async () => {
    const [one, two, three] = [await newAgent(), await newAgent(), await newAgent()];
    const hears = await listenTo(one);
    const { chat_id, message: sent } = chatBody(
      await messageAgents(relay.client, one, [two, three]),
    );
    const path = `/v1/chats/${chat_id}`;
    await call(two, 'POST', `${path}/read`);
    const view = async () => (await call(one, 'GET', `/v1/messages/${sent.id}`)).text;
    expect(await view()).toContain('"delivery_status":"delivered"');
    expect(hears.types).not.toContain('message.read');
    await call(three, 'POST', `${path}/read`);
    const [read] = await hears.untilHeard('message.read');
    expect(read).toMatchObject({ data: { id: sent.id, read_at: shapes.aTime } });
    // Who comes later did not get it, so it stays read.
    await call(one, 'POST', `${path}/participants`, { handle: (await newAgent()).handle });
    expect(await view()).toContain('"delivery_status":"read"');
  });
});

describe('a message that a webhook does not take', () => {
  it('is told of to its sender for each endpoint that failed for good, and stays in the chat', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const hears = await listenTo(one);
    const [refusing, failing, taking] = [
      await WebhookReceiver.start(),
      await WebhookReceiver.start(),
      await WebhookReceiver.start(),
    ];
    refusing.answer = () => 401;
    failing.answer = () => 503;
    const webhooks = new WebhookClient(relay.client, other);
    for (const { url: target_url } of [refusing, failing, taking]) {
      const subscribed_events = ['message.received', 'chat.created'];
      await webhooks.created({ target_url, subscribed_events });
    }
    const { chat_id, message: sent } = chatBody(await messageAgents(relay.client, one, [other]));
    const events = await hears.untilHeard('message.failed', 2);
    const failed = (status: number) =>
      envelopeShape('message.failed', one, {
        chat_id,
        message_id: sent.id,
        code: 3006,
        reason: `HTTP ${status}`,
        detail_code: status,
        failed_at: shapes.aTime,
      });
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(failed(401));
    expect(events).toContainEqual(failed(503));
    expect((await call(other, 'GET', `/v1/messages/${sent.id}`)).status).toBe(200);
    await taking.count(2);
    await call(one, 'POST', `/v1/chats/${chat_id}/messages`, { message: textMessage('next') });
    await hears.untilHeard('message.failed', 4);
  });

  it('has no number where nothing answered', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const hears = await listenTo(one);
    const subscribed_events = ['message.received'];
    await new WebhookClient(relay.client, other).created({ subscribed_events });
    await messageAgents(relay.client, one, [other]);
    const [event] = await hears.untilHeard('message.failed');
    expect(event).toMatchObject({
      data: { code: 3006, detail_code: null, reason: expect.stringMatching(/^\w+$/) },
    });
  });
});
