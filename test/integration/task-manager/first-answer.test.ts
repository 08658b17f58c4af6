import type { ChatCommandReply, TaskCommand, TaskCommandReply } from '@relay/domain';
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

type Commands = ReturnType<typeof exchangeCommands>;
type Reply = TaskCommandReply | ChatCommandReply;

const deadline = () => Date.now() + 10_000;
const execute = (command: TaskCommand, manager: TestTaskManager) =>
  manager.commands.execute(command, deadline());
const chat = (command: ReturnType<Commands['say']>, manager: TestTaskManager) =>
  manager.chatCommands.execute(command, deadline());

const outcome = (reply: Reply) => (reply.type === 'refused' ? reply.refusal.error : reply.type);

/** The message by which a reply answered, if it did. */
function answerIn(reply: Reply): string | undefined {
  const change = 'change' in reply ? reply.change : undefined;
  return change?.type === 'message-sent' && change.answers ? change.message.id : undefined;
}

const stateOf = async ({ taskId }: Commands) => (await one.bus.tasks.readState(taskId))?.snapshot;

const atOnce = 50;

/** So many races, some of them side by side; each may begin with either of two and at either manager. */
async function races<Outcome>(
  count: number,
  race: (managers: readonly [TestTaskManager, TestTaskManager], run: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let begun = 0; begun < count; begun += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, place) => {
      const run = begun + place;
      return race(run % 2 ? [one, two] : [two, one], run);
    });
    outcomes.push(...(await Promise.all(batch)));
  }
  return outcomes;
}

/** Both at once, in one order or the other; answered in the first order. */
async function bothWays<First, Second>(
  run: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<readonly [First, Second]> {
  if (run % 3) return Promise.all([first(), second()]);
  const [later, sooner] = await Promise.all([second(), first()]);
  return [sooner, later];
}

describe('the first answer wins, and there is one, at two task-managers', () => {
  it('of a reply in the chat and a status, 1,000 times', async () => {
    const outcomes = await races(1_000, async ([here, there], run) => {
      const commands = exchangeCommands();
      await execute(commands.offer(), run % 4 < 2 ? here : there);
      const status = commands.status('WORKING');
      const reply = commands.say(1, chatMessage('yes', commands.named));
      const [opening, said] = await bothWays(
        run,
        () => execute(status, here),
        () => chat(reply, there),
      );
      const state = await stateOf(commands);
      const isTask = state !== undefined && 'task' in state;
      expect([outcome(opening), answerIn(said) !== undefined]).toEqual(
        isTask ? ['done', false] : ['answeredInChat', true],
      );
      // Whoever asks again is told the same.
      expect(outcome(await execute(status, there))).toBe(isTask ? 'done' : 'answeredInChat');
      expect(outcome(await chat(reply, here))).toBe('done');
      expect(await stateOf(commands)).toEqual(state);
      return isTask;
    });
    expect(new Set(outcomes).size).toBe(2);
  }, 120_000);

  it('of an artifact and a /reply, 500 times', async () => {
    const outcomes = await races(500, async ([here, there], run) => {
      const commands = exchangeCommands();
      await execute(commands.offer(), run % 4 < 2 ? here : there);
      const [artifact, reply] = await bothWays(
        run,
        () => execute(commands.artifact('a', 'text'), here),
        () => execute(commands.reply('r'), there),
      );
      // A reply ends the task, and after an artifact there can be none.
      const kinds = [outcome(artifact), outcome(reply)];
      expect([
        ['done', 'taskAnswered'],
        ['taskFinished', 'done'],
      ]).toContainEqual(kinds);
      return kinds.join();
    });
    expect(new Set(outcomes).size).toBe(2);
  }, 120_000);

  it('of two replies, 500 times', async () => {
    await races(500, async ([here, there], run) => {
      const commands = exchangeCommands();
      await execute(commands.offer(), run % 4 < 2 ? here : there);
      const both = await bothWays(
        run,
        () => chat(commands.say(1, chatMessage('one', commands.named)), here),
        () => chat(commands.say(1, chatMessage('two', commands.named)), there),
      );
      const [winner, ...others] = both.flatMap((reply) => answerIn(reply) ?? []);
      expect(others).toEqual([]);
      expect(await stateOf(commands)).toMatchObject({ reply: { messageId: winner } });
    });
  }, 120_000);

  it('of what a message is when tasks are turned on as it is sent twice, 500 times', async () => {
    const outcomes = await races(500, async ([here, there], run) => {
      const commands = exchangeCommands();
      const [asMessage, asTask] = await bothWays(
        run,
        () => execute(commands.offer(), here),
        () => execute(commands.submit(), there),
      );
      const kinds = [outcome(asMessage), outcome(asTask)];
      expect([
        ['exchange', 'exchange'],
        ['done', 'done'],
      ]).toContainEqual(kinds);
      const isMessage = kinds[0] === 'exchange';
      const recorded = await one.bus.chats.read(commands.chatId);
      expect(recorded?.snapshot.openExchanges.length).toBe(isMessage ? 1 : undefined);
      return isMessage;
    });
    expect(new Set(outcomes).size).toBe(2);
  }, 120_000);
});
