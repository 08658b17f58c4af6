import { encodeChat } from '@relay/bus';
import {
  type ChatCommandReply,
  decideChat,
  evolveChat,
  type TaskCommand,
  type TaskCommandReply,
} from '@relay/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatMessage } from '../../support/chat-commands.ts';
import { exchangeCommands } from '../../support/exchange-commands.ts';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';
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

const execute = (command: TaskCommand, manager = one) =>
  manager.commands.execute(command, deadline());
const chat = (command: ReturnType<ReturnType<typeof exchangeCommands>['say']>, manager = one) =>
  manager.chatCommands.execute(command, deadline());

const outcome = (reply: TaskCommandReply | ChatCommandReply) =>
  reply.type === 'refused' ? reply.refusal.error : reply.type;

const stateOf = async (taskId: Parameters<TestTaskManager['bus']['tasks']['readState']>[0]) =>
  (await one.bus.tasks.readState(taskId))?.snapshot;

describe('a message to an agent that takes no tasks', () => {
  it('stands in the chat once, however often it is sent, and is answered there', async () => {
    const { offer, say, chatId, taskId, messageId } = exchangeCommands();
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
    const { offer, status, artifact, say, taskId, chatId, named } = exchangeCommands();
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
    const { offer, submit, taskId } = exchangeCommands();
    await execute(offer());
    expect(outcome(await execute(submit()))).toBe('exchange');
    expect(await stateOf(taskId)).toMatchObject({ state: 'offered', revision: 1 });
    const other = exchangeCommands();
    await execute(other.submit());
    expect(outcome(await execute(other.offer()))).toBe('done');
  });
});

describe('a crash between chat and task', () => {
  it('is made up for by the next call, whichever it is', async () => {
    const { offer, say, status, chatId, taskId } = exchangeCommands();
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
    const { offer, say, chatId, taskId } = exchangeCommands();
    await execute(offer());
    await appendAlone(chatId, say(1, chatMessage('yes')));
    await expect.poll(() => stateOf(taskId)).toMatchObject({ state: 'answered' });
  });
});

async function appendAlone(
  chatId: ReturnType<typeof exchangeCommands>['chatId'],
  command: ReturnType<ReturnType<typeof exchangeCommands>['say']>,
) {
  const known = await one.bus.chats.read(chatId);
  const decision = decideChat(known?.snapshot, command);
  if (!known || decision.type !== 'change') throw new Error(JSON.stringify(decision));
  const { change } = decision;
  const body = { change, snapshot: evolveChat(known.snapshot, change) };
  await one.bus.chats.append(body, encodeChat(body), known.sequence);
}
