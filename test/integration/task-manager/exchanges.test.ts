import { randomUUID } from 'node:crypto';
import { encodeChat } from '@relay/bus';
import {
  type ChatCommandReply,
  decideChat,
  deriveExchangeMessageId,
  evolveChat,
  type NewChatMessage,
  type TaskCommand,
  type TaskCommandReply,
  toChatContact,
} from '@relay/domain';
import { chatIdSchema } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatCommands, chatMessage } from '../../support/chat-commands.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';
import { taskCommands, testContact } from '../../support/task-commands.ts';
import { startTestTaskManager, type TestTaskManager } from '../../support/task-manager.ts';

let servers: TestServer[] = [];
let one: TestTaskManager;
let two: TestTaskManager;

beforeAll(async () => {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  servers = [nats, redis];
  [one, two] = await Promise.all([
    startTestTaskManager(nats.url, redis.url),
    startTestTaskManager(nats.url, redis.url),
  ]);
});

afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await Promise.all(servers.map((server) => server.stop()));
});

const deadline = () => Date.now() + 10_000;

/** A message to an agent that takes no tasks, and what may follow. */
function exchange() {
  const [planner, concierge] = [testContact('planner'), testContact('concierge')];
  const members = [planner, concierge].map(toChatContact);
  const tasks = taskCommands(planner, concierge);
  const { taskId } = tasks;
  const chatId = chatIdSchema.parse(randomUUID());
  const chat = chatCommands(members);
  const [, callee] = members;
  if (!callee) throw new Error('no callee');
  const offer = (): TaskCommand => ({
    ...tasks.submit(),
    calleeAcceptsTasks: false,
    offer: { chatId, callee },
  });
  const say = (place: 0 | 1, message: NewChatMessage) => ({ ...chat.send(place, message), chatId });
  const messageId = deriveExchangeMessageId(taskId);
  const named = { replyTo: { messageId, partIndex: 0 } };
  return { ...tasks, chatId, taskId, messageId, offer, say, named };
}

const execute = (command: TaskCommand, manager = one) =>
  manager.commands.execute(command, deadline());
const chat = (command: ReturnType<ReturnType<typeof exchange>['say']>, manager = one) =>
  manager.chatCommands.execute(command, deadline());

const outcome = (reply: TaskCommandReply | ChatCommandReply) =>
  reply.type === 'refused' ? reply.refusal.error : reply.type;

const stateOf = async (taskId: Parameters<TestTaskManager['bus']['tasks']['readState']>[0]) =>
  (await one.bus.tasks.readState(taskId))?.snapshot;

describe('a message to an agent that takes no tasks', () => {
  it('stands in the chat once, however often it is sent, and is answered there', async () => {
    const { offer, say, chatId, taskId, messageId } = exchange();
    const replies = await Promise.all([execute(offer()), execute(offer(), two), execute(offer())]);
    expect(replies.map(outcome)).toEqual(['exchange', 'exchange', 'exchange']);
    const { snapshot, change } = (await one.bus.chats.read(chatId)) ?? {};
    expect(snapshot).toMatchObject({ revision: 1, openExchanges: [{ taskId, messageId }] });
    expect(change).toMatchObject({ message: { a2a: { messageId: 'first', taskId } } });
    expect(await one.bus.tasks.read(taskId)).toBeUndefined();
    const answer = chatMessage('At your service.');
    expect(outcome(await chat(say(1, answer), two))).toBe('done');
    expect(await stateOf(taskId)).toMatchObject({
      state: 'answered',
      reply: { messageId: answer.id, contextId: chatId, parts: [{ text: 'At your service.' }] },
    });
    expect(await execute(offer())).toMatchObject({
      type: 'exchange',
      exchange: { state: 'answered' },
    });
  });

  it('becomes a task by the first status or artifact, and an ordinary one from then on', async () => {
    const { offer, status, artifact, say, taskId, chatId, named } = exchange();
    await execute(offer());
    expect(outcome(await execute(artifact('a', 'one'), two))).toBe('done');
    expect(outcome(await execute(status('COMPLETED')))).toBe('done');
    expect((await one.bus.tasks.read(taskId))?.snapshot).toMatchObject({
      task: { contextId: chatId, artifacts: [{ artifactId: 'a' }] },
      revision: 3,
    });
    const { change } = await chat(say(1, chatMessage('too late', named))).then((reply) =>
      reply.type === 'done' ? reply : { change: undefined },
    );
    expect(change).toMatchObject({ answers: null });
  });

  it('keeps to what it became when the agent turns tasks on or off in between', async () => {
    const { offer, submit, taskId } = exchange();
    await execute(offer());
    expect(outcome(await execute(submit()))).toBe('exchange');
    expect(await stateOf(taskId)).toMatchObject({ state: 'offered', revision: 1 });
    const other = exchange();
    await execute(other.submit());
    expect(outcome(await execute(other.offer()))).toBe('done');
  });
});

describe('a crash between chat and task', () => {
  it('is made up for by the next call, whichever it is', async () => {
    const { offer, say, status, chatId, taskId } = exchange();
    await execute(offer());
    // As a task-manager would that was killed before it published.
    const answered = say(1, chatMessage('yes'));
    await appendAlone(chatId, answered);
    expect(await stateOf(taskId)).toMatchObject({ state: 'offered' });
    expect(outcome(await execute(status('WORKING')))).toBe('answeredInChat');
    expect(await stateOf(taskId)).toMatchObject({ state: 'answered' });
    expect(outcome(await chat(answered))).toBe('done');
  });

  it('is made up for by the repair where no call comes', async () => {
    const { offer, say, chatId, taskId } = exchange();
    await execute(offer());
    await appendAlone(chatId, say(1, chatMessage('yes')));
    await expect
      .poll(() => stateOf(taskId), { timeout: 10_000 })
      .toMatchObject({ state: 'answered' });
  });
});

describe('the first answer', () => {
  it('wins, and there is one, however two task-managers race', async () => {
    const atOnce = 50;
    for (let batch = 0; batch < 20; batch += 1) {
      const runs = Array.from({ length: atOnce }, (_, run) => race(run));
      for (const { kinds, state, second } of await Promise.all(runs)) {
        expect(kinds).toBe(state === 'opened' ? 'done,null' : 'answeredInChat,answered');
        expect(second).toBe(state === 'opened' ? 'done' : 'answeredInChat');
      }
    }
  });

  it('is one of two replies', async () => {
    for (let run = 0; run < 100; run += 1) {
      const { offer, say, named, taskId } = exchange();
      await execute(offer());
      const both = [chatMessage('one', named), chatMessage('two', named)] as const;
      const replies = await Promise.all([chat(say(1, both[0])), chat(say(1, both[1]), two)]);
      const winners = replies.flatMap((reply) =>
        reply.type === 'done' && reply.change?.type === 'message-sent' && reply.change.answers
          ? [reply.change.message.id]
          : [],
      );
      expect(winners).toHaveLength(1);
      expect(await stateOf(taskId)).toMatchObject({ reply: { messageId: winners[0] } });
    }
  });
});

/** A chat reply against a status, at two task-managers at once. */
async function race(run: number) {
  const { offer, say, status, named, taskId } = exchange();
  const offered = await execute(offer());
  if (offered.type !== 'exchange') throw new Error(JSON.stringify(offered));
  const open = () => execute(status('WORKING'), run % 2 ? one : two);
  const reply = () => chat(say(1, chatMessage('yes', named)), run % 2 ? two : one);
  const [opening, answer] = await Promise.all(
    run % 3 ? [open(), reply()] : [reply(), open()].toReversed(),
  );
  if (!opening || !answer) throw new Error('no replies');
  const answers =
    'change' in answer && answer.change?.type === 'message-sent' && answer.change.answers;
  const state = (await one.bus.tasks.read(taskId)) ? 'opened' : 'answered';
  const kinds = `${outcome(opening)},${answers ? 'answered' : 'null'}`;
  return { kinds, state, second: outcome(await execute(status('WORKING'))) };
}

async function appendAlone(
  chatId: ReturnType<typeof exchange>['chatId'],
  command: ReturnType<ReturnType<typeof exchange>['say']>,
) {
  const known = await one.bus.chats.read(chatId);
  const decision = decideChat(known?.snapshot, command);
  if (!known || decision.type !== 'change') throw new Error(JSON.stringify(decision));
  const { change } = decision;
  const body = { change, snapshot: evolveChat(known.snapshot, change) };
  await one.bus.chats.append(body, encodeChat(body), known.sequence);
}
