import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChaosCluster, startChaosCluster } from '../../crash/chaos-cluster.ts';
import { ChatListener } from '../../support/chat-listening.ts';
import { AgentClient } from '../../support/ledger/agent-client.ts';
import type { ServiceProcess } from '../../support/service-process.ts';

let cluster: ChaosCluster;

beforeAll(async () => {
  cluster = await startChaosCluster();
});

afterAll(() => cluster?.stop());

/** What NATS says when it has stored a message in a stream. */
const stored = (stream: string) => `"stream":"${stream}"`;

/**
 * Kills whichever task-manager NATS next tells that it has stored something, before it hears of it.
 * @returns whether that moment came; the process is started again by then
 */
function killAtNext(stream: string): () => Promise<boolean> {
  const managers = cluster.services['task-manager'];
  const links = cluster.links['task-manager'];
  const forget = () => {
    for (const link of links) link.forget();
  };
  let struck: ServiceProcess | undefined;
  for (const [index, manager] of managers.entries()) {
    links[index]?.cutAt(stored(stream), () => {
      forget();
      struck = manager;
      void manager.kill();
    });
  }
  return async () => {
    forget();
    await struck?.kill();
    await struck?.restart();
    return struck !== undefined;
  };
}

interface Answered {
  readonly result?: { readonly message?: { messageId: string }; readonly task?: { id: string } };
}

/** Two agents with a chat, of which the second takes no tasks and hears what comes. */
async function pair() {
  const { gatewayUrls, adminToken } = cluster;
  const planner = await AgentClient.register(gatewayUrls, adminToken, false);
  const concierge = await AgentClient.register(gatewayUrls, adminToken, false);
  const url = `${gatewayUrls[0]?.replace('http', 'ws')}/v1/websocket`;
  const hears = await ChatListener.open(url, concierge);
  const messageId = randomUUID();
  const path = `/${concierge.handle}`;
  const message = { messageId, role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  /** Asks until it is answered, as any client would. */
  const ask = async (): Promise<string> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    const answer = await planner.call({ method: 'POST', path, body });
    const { result }: Answered = JSON.parse(JSON.stringify(answer.body));
    return result?.message?.messageId ?? (result?.task ? 'task' : JSON.stringify(answer.body));
  };
  const asked = async () => {
    const { id, chat_id, a2a } = await hears.untilReceived(1);
    return { id, chatId: chat_id, taskId: a2a?.task_id ?? 'none' };
  };
  return { planner, concierge, hears, ask, asked };
}

type Pair = Awaited<ReturnType<typeof pair>>;
type Asked = Awaited<ReturnType<Pair['asked']>>;

/** Replies by name until that is acknowledged. @returns the id of the reply */
async function reply({ concierge }: Pair, { chatId, id }: Asked): Promise<string> {
  const message = {
    parts: [{ type: 'text', value: 'yes' }],
    reply_to: { message_id: id },
    idempotency_key: randomUUID(),
  };
  const path = `/v1/chats/${chatId}/messages`;
  const { status, body } = await concierge.call({ method: 'POST', path, body: { message } });
  expect(status).toBe(202);
  const sent: { readonly message: { readonly id: string } } = JSON.parse(JSON.stringify(body));
  return sent.message.id;
}

/** Sets a status until that is done or refused. @returns the code of the refusal */
async function work({ concierge }: Pair, { taskId }: Asked): Promise<number> {
  const path = `/v1/tasks/${taskId}/status`;
  const body = { state: 'WORKING' };
  const answer = await concierge.call({ method: 'POST', path, body });
  const { error }: { error?: { code: number } } = JSON.parse(JSON.stringify(answer.body));
  return error?.code ?? 0;
}

/** The ids of the messages of the chat, oldest first. */
async function messagesOf({ planner }: Pair, { chatId }: Asked): Promise<readonly string[]> {
  const path = `/v1/chats/${chatId}/messages`;
  const { body } = await planner.call({ method: 'GET', path });
  const page: { messages: readonly { id: string }[] } = JSON.parse(JSON.stringify(body));
  return page.messages.map(({ id }) => id);
}

const rounds = 3;

describe('the answer from a chat, with a task-manager killed', () => {
  it('after the message was taken, before it stood in the chat: it stands there once', async () => {
    let hits = 0;
    for (let round = 0; round < rounds; round += 1) {
      const agents = await pair();
      const end = killAtNext('TASKS');
      const answering = agents.ask();
      const asked = await agents.asked();
      if (await end()) hits += 1;
      const replyId = await reply(agents, asked);
      expect(await answering).toBe(replyId);
      expect(await messagesOf(agents, asked)).toEqual([asked.id, replyId]);
      await agents.hears.close();
    }
    expect(hits).toBeGreaterThan(0);
  }, 240_000);

  it('after the chat has taken a reply, before its sender is told: it is the answer, for all that ask', async () => {
    let hits = 0;
    for (let round = 0; round < rounds; round += 1) {
      const agents = await pair();
      const answering = agents.ask();
      const asked = await agents.asked();
      const end = killAtNext('CHATS');
      const replyId = await reply(agents, asked);
      if (await end()) hits += 1;
      expect(await work(agents, asked)).toBe(2034);
      expect(await Promise.all([answering, agents.ask()])).toEqual([replyId, replyId]);
      expect(await messagesOf(agents, asked)).toEqual([asked.id, replyId]);
      await agents.hears.close();
    }
    expect(hits).toBeGreaterThan(0);
  }, 240_000);

  it('after the chat has taken a reply, and nobody asks again: the repair tells who waits', async () => {
    const agents = await pair();
    const answering = agents.ask();
    const asked = await agents.asked();
    const end = killAtNext('CHATS');
    const replying = reply(agents, asked);
    const replyId = await answering;
    expect(await replying).toBe(replyId);
    await end();
    await agents.hears.close();
  }, 120_000);

  it('between a reply and a status that race: one of them answers, the other is told so', async () => {
    const winners = new Set<string>();
    for (let round = 0; round < 2 * rounds; round += 1) {
      const agents = await pair();
      const answering = agents.ask();
      const asked = await agents.asked();
      const end = killAtNext('CHATS');
      const [replyId, refused] = await Promise.all([reply(agents, asked), work(agents, asked)]);
      await end();
      const outcome = await answering;
      expect(outcome).toBe(refused === 2034 ? replyId : 'task');
      expect([0, 2034]).toContain(refused);
      expect(await work(agents, asked)).toBe(refused);
      expect(await agents.ask()).toBe(outcome);
      expect(await messagesOf(agents, asked)).toEqual([asked.id, replyId]);
      winners.add(outcome === 'task' ? 'task' : 'reply');
      await agents.hears.close();
    }
    expect(winners.size).toBeGreaterThan(0);
  }, 240_000);
});
