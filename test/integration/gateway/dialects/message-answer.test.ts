import type { ReceivedEvent } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../../support/agent-socket.ts';
import { chatBody, messageAgents, textMessage } from '../../../support/chat-calls.ts';
import { startTestDelivery, type TestDelivery } from '../../../support/delivery.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { agentMessage, GatewayClient, type TestAgent } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';
import {
  callOver,
  newMessage,
  restOf,
  streamOver,
  type WireMessage,
  wires,
} from '../../../support/wires.ts';

const relay = useGateway({ config: { sendWaitSeconds: 30 } });

let delivery: TestDelivery;
/** A gateway where calls do not wait long. */
let impatient: TestGateway;

beforeAll(async () => {
  const { nats, redis } = relay;
  delivery = await startTestDelivery(nats.url);
  const config = { sendWaitSeconds: 0.2 };
  impatient = await startTestGateway({ natsUrl: nats.url, redisUrl: redis.url, config });
});

afterAll(async () => {
  await impatient?.close();
  await delivery?.close();
});

/** What a version makes of what the agent answers. */
interface Shapes {
  readonly message: (text: string, chatId: string, sent: WireMessage) => object;
  /** The same as the one event of a stream, where that is another one. */
  readonly streamed?: Shapes['message'];
  readonly task: (state: string, sent: WireMessage) => object;
  /** The last event of a stream. */
  readonly last: (state: string) => object;
  readonly timedOut: (metadata: object) => object;
}

const errorInfo = (metadata: object) => ({
  reason: 'DEADLINE_EXCEEDED',
  metadata: expect.objectContaining(metadata),
});
const bareError = (metadata: object) => ({ code: -32603, data: [errorInfo(metadata)] });
const stateNamed = (state: string) => `TASK_STATE_${state.toUpperCase()}`;
const text03 = (text: string) => [{ kind: 'text', text }];

const current: Shapes = {
  message: (text, contextId) => ({
    message: { contextId, role: 'ROLE_AGENT', parts: [{ text }], messageId: expect.any(String) },
  }),
  task: (state) => ({ task: { status: { state: stateNamed(state) } } }),
  last: (state) => ({ statusUpdate: { status: { state: stateNamed(state) } } }),
  timedOut: bareError,
};

const shapes: Readonly<Record<string, Shapes>> = {
  '1.0 over JSON-RPC': current,
  '1.0 over HTTP+JSON': {
    ...current,
    timedOut: (metadata) => ({
      error: { code: 504, status: 'DEADLINE_EXCEEDED', details: [errorInfo(metadata)] },
    }),
  },
  '0.3 over JSON-RPC': {
    message: (text, contextId) => ({
      kind: 'message',
      contextId,
      role: 'agent',
      parts: text03(text),
      messageId: expect.any(String),
    }),
    task: (state) => ({ kind: 'task', status: { state } }),
    last: (state) => ({ kind: 'status-update', status: { state }, final: true }),
    timedOut: bareError,
  },
  '0.3 over HTTP+JSON': {
    ...current,
    message: (text, contextId) => ({
      message: {
        contextId,
        role: 'ROLE_AGENT',
        content: [{ text }],
        messageId: expect.any(String),
      },
    }),
    last: (state) => ({ statusUpdate: { status: { state: stateNamed(state) }, final: true } }),
  },
  '0.1 over JSON-RPC': {
    message: (text, sessionId, { id }) => ({
      id,
      sessionId,
      status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text }] } },
    }),
    streamed: (text, _chatId, { id }) => ({
      id,
      status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text }] } },
      final: true,
    }),
    task: (state, { id }) => ({ id, status: { state } }),
    last: (state) => ({ status: { state }, final: true }),
    timedOut: bareError,
  },
};

/** An agent that takes no tasks, in a chat with the planner, and what it hears. */
async function useConcierge() {
  const concierge = await relay.client.createAgent({ acceptsTasks: false });
  const answer = await messageAgents(relay.client, concierge, [relay.planner], 'Hello first.');
  const chatId = chatBody(answer).chat_id;
  const { token } = concierge;
  const socket = await AgentSocket.open({ url: delivery.url, token, acknowledges: true });
  const received = () => socket.events.filter(({ type }) => type === 'message.received');
  return {
    concierge,
    chatId,
    socket,
    /** The task id that the message would have. */
    hear: async (count: number) => {
      await socket.until(() => received().length >= count);
      const body = received().at(count - 1)?.body ?? '';
      const event: { readonly data: ReceivedEvent } = JSON.parse(body);
      return event.data.a2a?.task_id ?? 'none';
    },
    say: (text: string) =>
      relay.client.send('POST', `/v1/chats/${chatId}/messages`, {
        token,
        body: { message: textMessage(text) },
      }),
    setState: (taskId: string, state: string) =>
      relay.client.send('POST', `/v1/tasks/${taskId}/status`, {
        token,
        body: { state, message: agentMessage(state) },
      }),
  };
}

describe.each(wires)('an agent that takes no tasks, called by A2A $name', (wire) => {
  const shape = () => shapes[wire.name] ?? current;
  const send = (to: TestAgent, message: WireMessage, client = relay.client) =>
    callOver({ client, from: relay.planner, to, request: wire.send(message) });
  const stream = (to: TestAgent, message: WireMessage) =>
    streamOver({ client: relay.client, from: relay.planner, to, request: wire.stream(message) });

  it('answers with a Message, and the same one to a retry', async () => {
    const { concierge, chatId, socket, hear, say } = await useConcierge();
    const message = newMessage('A table for two?');
    const answering = send(concierge, message);
    await hear(1);
    await say('At eight.');
    const answer = await answering;
    expect(answer.body).toEqual(shape().message('At eight.', chatId, message));
    expect((await send(concierge, message)).body).toEqual(answer.body);
    await socket.close();
  });

  it('streams the one Message', async () => {
    const { concierge, chatId, socket, hear, say } = await useConcierge();
    const message = newMessage();
    const events = await stream(concierge, message);
    await hear(1);
    await say('Yes.');
    const [only, ...more] = await restOf(events, wire.stream(message));
    expect(more).toEqual([]);
    const { streamed = shape().message } = shape();
    expect(only).toEqual(streamed('Yes.', chatId, message));
    await socket.close();
  });

  it('says in its form what waits where when the time is up', async () => {
    const { concierge, chatId, socket } = await useConcierge();
    const client = new GatewayClient(impatient.url);
    const { status, body } = await send(concierge, newMessage(), client);
    expect(body).toMatchObject(
      shape().timedOut({ contextId: chatId, relayMessageId: expect.any(String) }),
    );
    expect(status).toBe(wire.name.includes('HTTP+JSON') ? 504 : 200);
    await socket.close();
  });

  it('may make a task of it, which answers and is streamed', async () => {
    const { concierge, socket, hear, setState } = await useConcierge();
    const first = newMessage();
    const answering = send(concierge, first);
    await setState(await hear(1), 'WORKING');
    expect((await answering).body).toMatchObject(shape().task('working', first));
    const second = newMessage();
    const events = await stream(concierge, second);
    const taskId = await hear(2);
    await setState(taskId, 'WORKING');
    await events.next();
    await setState(taskId, 'COMPLETED');
    expect((await restOf(events, wire.stream(second))).at(-1)).toMatchObject(
      shape().last('completed'),
    );
    await socket.close();
  });
});
