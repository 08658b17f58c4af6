import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { useListening } from '../../support/chat-listening.ts';
import { type Answer, message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 2 } });
const listenTo = useListening(() => relay.nats);

/** What a call came to, in the words of 1.0. */
interface Outcome {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly reason: string; readonly metadata: unknown };
}

interface Binding {
  readonly name: string;
  readonly send: (to: TestAgent, message: object, more?: object) => Promise<Outcome>;
  /** The results of a stream until it ends. */
  readonly stream: (to: TestAgent, message: object) => Promise<unknown[]>;
  readonly timedOut: number;
  readonly invalid: number;
  readonly unsupported: number;
}

interface ErrorInfo {
  readonly reason: string;
  readonly metadata: unknown;
}

function outcomeOf(result: unknown, code: number | undefined, [info]: readonly ErrorInfo[] = []) {
  const { reason = '', metadata } = info ?? {};
  return { result, error: { code: code ?? 0, reason, metadata } };
}

function ofRpc({ text }: Answer): Outcome {
  const body: { result?: unknown; error?: { code: number; data: ErrorInfo[] } } = JSON.parse(text);
  return outcomeOf(body.result, body.error?.code, body.error?.data);
}

function ofHttp({ text, status }: Answer): Outcome {
  const body: { error?: { details: ErrorInfo[] } } = JSON.parse(text);
  return body.error ? outcomeOf(undefined, status, body.error.details) : outcomeOf(body, undefined);
}

const bindings: readonly Binding[] = [
  {
    name: 'JSON-RPC',
    send: async (to, sent, more = {}) =>
      ofRpc(
        await relay.client.rpc({
          from: relay.planner,
          to,
          method: 'SendMessage',
          params: { message: sent, ...more },
        }),
      ),
    stream: async (to, sent) => {
      const params = { message: sent };
      const method = 'SendStreamingMessage';
      const stream = await relay.client.stream({ from: relay.planner, to, method, params });
      return (await stream.rest()).map(({ data }) => data.result ?? data.error?.code);
    },
    timedOut: -32603,
    invalid: -32602,
    unsupported: -32005,
  },
  {
    name: 'HTTP+JSON',
    send: async ({ handle }, sent, more = {}) =>
      ofHttp(
        await relay.client.send('POST', `/${handle}/message:send`, {
          token: relay.planner.token,
          headers: { 'a2a-version': '1.0' },
          body: { message: sent, ...more },
        }),
      ),
    stream: async ({ handle }, sent) => {
      const stream = await relay.client.streamFrom('POST', `/${handle}/message:stream`, {
        token: relay.planner.token,
        headers: { 'a2a-version': '1.0' },
        body: { message: sent },
      });
      return (await stream.rest()).map(({ data }) => data);
    },
    timedOut: 504,
    invalid: 400,
    unsupported: 400,
  },
];

/** An agent that takes no tasks, its chat with the planner, and what it hears there. */
async function newConcierge() {
  const concierge = await relay.client.createAgent({ acceptsTasks: false });
  const answer = await messageAgents(relay.client, concierge, [relay.planner], 'Hello first.');
  const { chat_id: chatId } = chatBody(answer);
  const hears = await listenTo(concierge);
  const say = async (content: object) => {
    const path = `/v1/chats/${chatId}/messages`;
    const { token } = concierge;
    const said = await relay.client.send('POST', path, { token, body: { message: content } });
    return chatBody(said).message.id;
  };
  return { concierge, chatId, hears, say };
}

describe.each(bindings)('the answer from a chat over $name', (binding) => {
  it('is one Message with the chat as its context, and the same when it is asked for again', async () => {
    const { concierge, chatId, hears, say } = await newConcierge();
    const asked = message('hello', { contextId: chatId });
    const answering = binding.send(concierge, asked, {
      configuration: { returnImmediately: true },
    });
    await hears.untilHeard('message.received');
    const messageId = await say(textMessage('yes'));
    const parts = [{ text: 'yes' }];
    const result = { message: { messageId, contextId: chatId, role: 'ROLE_AGENT', parts } };
    expect((await answering).result).toEqual(result);
    expect((await binding.send(concierge, asked)).result).toEqual(result);
    expect(await binding.stream(concierge, asked)).toEqual([result]);
    expect(hears.heard('message.received')).toHaveLength(1);
  });

  it('is waited for so long, and is told of by both ids when it does not come', async () => {
    const { concierge, chatId, hears } = await newConcierge();
    const asked = message();
    const { error } = await binding.send(concierge, asked);
    const { id: relayMessageId, a2a } = await hears.untilReceived();
    expect(a2a?.message_id).toBe(asked.messageId);
    expect(error).toEqual({
      code: binding.timedOut,
      reason: 'DEADLINE_EXCEEDED',
      metadata: { code: '3006', contextId: chatId, messageId: asked.messageId, relayMessageId },
    });
  });

  it('is refused for what no chat takes, and for another context', async () => {
    const { concierge, hears } = await newConcierge();
    const codeOf = async (fields: object) =>
      (await binding.send(concierge, message('x', { ...fields }))).error.code;
    const raw = { raw: 'eA==', mediaType: 'text/plain' };
    expect(await codeOf({ parts: [raw] })).toBe(binding.unsupported);
    expect(await codeOf({ parts: [{ text: 'x' }, { data: { a: 1 } }] })).toBe(binding.unsupported);
    expect(await codeOf({ parts: [{ text: 'x', mediaType: 'text/html' }] })).toBe(
      binding.unsupported,
    );
    expect(await codeOf({ contextId: 'another' })).toBe(binding.invalid);
    expect(hears.heard('message.received')).toEqual([]);
  });

  it('shows each part of a reply as A2A has it', async () => {
    const { concierge, hears, say } = await newConcierge();
    const answers: unknown[] = [];
    const replies = [
      [
        { type: 'text', value: 'one' },
        { type: 'text', value: 'two' },
        { type: 'media', url: 'https://x.example/a.pdf' },
        { type: 'data', media_type: 'application/a2ui+json', data: { card: 1 } },
      ],
      [{ type: 'link', value: 'https://x.example/' }],
    ];
    for (const [index, parts] of replies.entries()) {
      const answering = binding.send(concierge, message());
      await hears.untilHeard('message.received', index + 1);
      await say({ parts });
      answers.push((await answering).result);
    }
    expect(answers).toMatchObject([
      {
        message: {
          parts: [
            { text: 'one' },
            { text: 'two' },
            { url: 'https://x.example/a.pdf' },
            { data: { card: 1 }, mediaType: 'application/a2ui+json' },
          ],
        },
      },
      { message: { parts: [{ text: 'https://x.example/' }] } },
    ]);
  });
});
