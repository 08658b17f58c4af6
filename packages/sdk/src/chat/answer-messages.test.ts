import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { toRestError } from '@relay/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RelayAgent } from '../relay-agent.ts';
import { exampleEvent, exampleReceived } from '../test-support/examples.ts';
import {
  type AgentConnection,
  FakeRelay,
  type ReceivedRequest,
  respondJson,
} from '../test-support/fake-relay.ts';
import type { ChatHandler, ChatMessage } from './chat-message.ts';

let relay: FakeRelay;
let agent: RelayAgent;
let ending: AbortController;
let errors: Error[];

beforeEach(async () => {
  relay = await FakeRelay.start();
  relay.respond = taken;
  agent = new RelayAgent({ url: relay.url, token: 'secret' });
  ending = new AbortController();
  errors = [];
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  vi.restoreAllMocks();
  ending.abort();
  await relay.stop();
});

const [chatId, messageId] = [randomUUID(), randomUUID()];
let replies = 0;

function taken({ path }: ReceivedRequest, response: ServerResponse): void {
  replies += 1;
  respondJson(response, 202, { chat_id: path.split('/')[3], message: { id: `reply-${replies}` } });
}

function makeReady(connection: AgentConnection): void {
  connection.send({
    type: 'ready',
    connection_id: '0192d3a4-7d60-7f5e-8b1a-3c2d1e0f9a8b',
    acked_through: '0',
    full_sync_required: false,
    full_sync_through: null,
    heartbeat_interval_ms: 30_000,
    max_in_flight: 64,
  });
}

async function connect(handler: ChatHandler): Promise<AgentConnection> {
  const onError = (error: Error) => void errors.push(error);
  const listening = agent.onMessage(handler, { signal: ending.signal, onError });
  const connection = await relay.nextConnection();
  makeReady(connection);
  await listening;
  return connection;
}

/** The next connection, which has everything again. */
async function again(...events: object[]): Promise<AgentConnection> {
  const connection = await relay.nextConnection();
  makeReady(connection);
  sendAll(connection, ...events);
  return connection;
}

function sendAll(connection: AgentConnection, ...events: object[]): void {
  for (const [index, event] of events.entries()) {
    connection.sendText(JSON.stringify({ type: 'event', sequence: String(index + 1), event }));
  }
}

const received = (text: string, fields: Parameters<typeof exampleReceived>[1] = {}) =>
  exampleEvent('message.received', exampleReceived(text, fields));

/** Acknowledgements are cumulative. */
async function untilAcknowledged(connection: AgentConnection, sequence: number): Promise<void> {
  for (;;) {
    const frame = await connection.nextFrame();
    if (frame.type === 'ack' && Number(frame.through_sequence) >= sequence) return;
  }
}

describe('onMessage', () => {
  it('gives each message of others to the handler, and no other event', async () => {
    const seen: ChatMessage[] = [];
    const connection = await connect((message) => void seen.push(message));
    const first = received('a table for two', { chat_id: chatId });
    sendAll(connection, exampleEvent('message.sent', exampleReceived('own')), first);
    await untilAcknowledged(connection, 2);
    expect(seen).toMatchObject([
      { text: 'a table for two', chatId, sender: { handle: 'planner' } },
    ]);
    expect(relay.requests).toEqual([]);
  });

  it('shows the text of all text parts', async () => {
    const texts: string[] = [];
    const connection = await connect(({ text }) => void texts.push(text));
    const parts = [
      { type: 'text', value: 'one' },
      { type: 'media', url: 'https://x.example/a.png' },
      { type: 'text', value: 'two' },
    ];
    sendAll(connection, received('', { parts }), received('', { parts: parts.slice(1, 2) }));
    await untilAcknowledged(connection, 2);
    expect(texts).toEqual(['one\ntwo', '']);
  });

  it('replies to the message itself, each time under a key of its own', async () => {
    const ids: unknown[] = [];
    const connection = await connect(async (message) => {
      ids.push(await message.reply('first'), await message.reply('second'));
    });
    const event = received('hello', { id: messageId, chat_id: chatId });
    sendAll(connection, event);
    await untilAcknowledged(connection, 1);
    const content = (value: string) => ({
      message: { parts: [{ type: 'text', value }], reply_to: { message_id: messageId } },
    });
    expect(relay.requests).toMatchObject([
      {
        method: 'POST',
        path: `/v1/chats/${chatId}/messages`,
        headers: { 'idempotency-key': `reply:${event.event_id}` },
        body: content('first'),
      },
      {
        headers: { 'idempotency-key': `reply:${event.event_id}:2` },
        body: content('second'),
      },
    ]);
    expect(ids).toEqual([`reply-${replies - 1}`, `reply-${replies}`]);
  });

  it('handles the messages of one chat in order, and those of others meanwhile', async () => {
    const events = [
      received('one', { chat_id: chatId }),
      received('two', { chat_id: chatId }),
      received('three', { chat_id: randomUUID() }),
    ];
    const begun: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const connection = await connect(async ({ text }) => {
      begun.push(text);
      if (text === 'one') await held;
    });
    sendAll(connection, ...events);
    await expect.poll(() => begun.includes('three'), { interval: 1 }).toBe(true);
    expect(begun).toEqual(['one', 'three']);
    release();
    await untilAcknowledged(connection, 3);
    expect(begun).toEqual(['one', 'three', 'two']);
  });

  it('gives a message again whose handler failed, which then says the same once', async () => {
    const handler = vi.fn<ChatHandler>(async (message) => {
      await message.reply('hello back');
      if (handler.mock.calls.length === 1) throw new Error('not now');
    });
    const connection = await connect(handler);
    const event = received('hello');
    sendAll(connection, event);
    expect(await connection.closed).toMatchObject({ code: 4001 });
    await untilAcknowledged(await again(event), 1);
    expect(handler).toHaveBeenCalledTimes(2);
    const keys = relay.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([`reply:${event.event_id}`, `reply:${event.event_id}`]);
    expect(errors).toMatchObject([{ cause: { message: 'not now' } }]);
  });

  it('takes it for said where another run has said something else', async () => {
    relay.respond = (_request, response) =>
      respondJson(response, 409, toRestError({ error: 'conflict' }, 'trace'));
    const ids: unknown[] = [];
    const connection = await connect(async (message) => void ids.push(await message.reply('x')));
    sendAll(connection, received('hello'));
    await untilAcknowledged(connection, 1);
    expect(ids).toEqual([undefined]);
  });

  it('leaves a message after ten tries, says so, and goes on with those behind it', async () => {
    const seen: string[] = [];
    const handler = (message: ChatMessage) => {
      seen.push(message.text);
      if (message.text === 'never') throw new Error('cannot');
    };
    const events = [received('never'), received('next')];
    sendAll(await connect(handler), ...events);
    for (let tries = 2; tries < 10; tries += 1) await again(...events);
    await untilAcknowledged(await again(...events), 2);
    expect(seen.filter((text) => text === 'never')).toHaveLength(10);
    expect(seen).toContain('next');
    expect(errors.at(-1)).toMatchObject({
      message: expect.stringContaining('after 10 tries'),
      cause: { message: 'cannot' },
    });
  });
});
