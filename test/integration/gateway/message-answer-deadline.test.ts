import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedEvent } from '@relay/protocol';
import { expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { type ChatListener, useListening } from '../../support/chat-listening.ts';
import { message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

/** Of a call, in place of its minute. */
const waitSeconds = 1;
const relay = useGateway({ config: { sendWaitSeconds: waitSeconds, chatMessageRate: 1_000 } });
const listenTo = useListening(() => relay.nats);

const runs = 300;
const atOnce = 20;

/** The events of messages from the A2A address, by the ids that their sender gave. */
async function untilAsked(hears: ChatListener, messageId: string): Promise<ReceivedEvent> {
  const event = () =>
    hears.received.find(({ a2a }: ReceivedEvent) => a2a?.message_id === messageId);
  await hears.socket.until(() => event() !== undefined);
  const found = event();
  if (!found) throw new Error('it was there');
  return found;
}

interface Pair {
  readonly planner: TestAgent;
  readonly concierge: TestAgent;
  readonly chatId: string;
  readonly hears: ChatListener;
}

async function newPair(): Promise<Pair> {
  const { client } = relay;
  const [planner, concierge] = [
    await client.createAgent(),
    await client.createAgent({ acceptsTasks: false }),
  ];
  const { chat_id: chatId } = chatBody(await messageAgents(client, concierge, [planner]));
  return { planner, concierge, chatId, hears: await listenTo(concierge) };
}

/** Answers about when the call ends. @returns what the call came to, and the same call afterwards */
async function race({ planner, concierge, chatId, hears }: Pair, run: number) {
  const sent = message(`question ${run}`);
  const send = async () => {
    const params = { message: sent };
    const call = { from: planner, to: concierge, method: 'SendMessage', params };
    const { result, error } = (await relay.client.rpc(call)).body;
    return error ? error.data?.[0]?.['reason'] : result.task ? 'task' : result.message.messageId;
  };
  const since = performance.now();
  const calling = send();
  const { id, a2a } = await untilAsked(hears, sent.messageId);
  const left = waitSeconds * 1_000 - (performance.now() - since);
  await delay(left + 100 - Math.random() * 400);
  const { token } = concierge;
  const isReply = run % 2 === 0;
  const answering = isReply
    ? relay.client.send('POST', `/v1/chats/${chatId}/messages`, {
        token,
        body: { message: textMessage('answer', { reply_to: { message_id: id } }) },
      })
    : relay.client.send('POST', `/v1/tasks/${a2a?.task_id}/status`, {
        token,
        body: { state: 'WORKING' },
      });
  const [outcome, answer] = await Promise.all([calling, answering]);
  const expected = isReply ? chatBody(answer).message.id : 'task';
  return { outcome, expected, again: await send() };
}

it('an answer that comes as the call ends is told by it or by its retry, and the message stays one', async () => {
  const pairs = await Promise.all(Array.from({ length: atOnce }, newPair));
  const kinds = new Set<boolean>();
  for (let begun = 0; begun < runs; begun += atOnce) {
    const batch = pairs.map((pair, place) => race(pair, begun + place));
    for (const { outcome, expected, again } of await Promise.all(batch)) {
      expect([expected, 'DEADLINE_EXCEEDED']).toContain(outcome);
      expect(again).toBe(expected);
      kinds.add(outcome === expected);
    }
  }
  expect(kinds.size).toBe(2);
  for (const { hears } of pairs) {
    const asked = hears.received.map(({ a2a }) => a2a?.message_id);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toHaveLength(runs / atOnce);
  }
}, 120_000);
