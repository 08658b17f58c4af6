import type { TaskCommand, TaskCommandReply } from '@relay/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNats, startRedis, type TestServer } from '../../support/servers.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { startTestTaskManager, type TestTaskManager } from '../../support/task-manager.ts';

let nats: TestServer;
let redis: TestServer;
let one: TestTaskManager;
let two: TestTaskManager;

beforeAll(async () => {
  [nats, redis] = await Promise.all([startNats(), startRedis()]);
  one = await startTestTaskManager(nats.url, redis.url);
  two = await startTestTaskManager(nats.url, redis.url);
});

afterAll(async () => {
  await Promise.all([one?.close(), two?.close()]);
  await Promise.all([nats?.stop(), redis?.stop()]);
});

const deadline = () => Date.now() + 10_000;
const execute = (command: TaskCommand, manager = one) =>
  manager.commands.execute(command, deadline());

function done(reply: TaskCommandReply) {
  if (reply.type !== 'done') throw new Error(`not done: ${JSON.stringify(reply)}`);
  return reply;
}
const outcomeOf = (reply: TaskCommandReply) =>
  reply.type === 'refused'
    ? reply.refusal.error
    : 'revision' in reply
      ? reply.revision
      : reply.type;

describe('task-manager', () => {
  it('makes one task of a message however often and wherever it comes', async () => {
    const { submit, taskId } = taskCommands();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        execute({ ...submit(), contextId: `context ${n}` }, n % 2 ? one : two),
      ),
    );
    const contexts = new Set(replies.map((reply) => done(reply).snapshot.task.contextId));
    expect(contexts.size).toBe(1);
    expect(replies.map(outcomeOf)).toEqual(replies.map(() => 1));
    expect((await one.bus.tasks.read(taskId))?.snapshot.revision).toBe(1);
  });

  it('answers the first outcome when a command comes again at another replica', async () => {
    const { submit, status } = taskCommands();
    await execute(submit());
    const working = status('WORKING');
    expect(outcomeOf(await execute(working, one))).toBe(2);
    await execute(status('INPUT_REQUIRED'), one);
    expect(outcomeOf(await execute(working, two))).toBe(2);
  });

  it('does not decide refusals by what it remembers', async () => {
    const { submit, status, followUp } = taskCommands();
    await execute(submit(), one);
    expect(outcomeOf(await execute(status('WORKING'), two))).toBe(2);
    const repeated = followUp('again');
    expect(outcomeOf(await execute(repeated, two))).toBe(3);
    expect(outcomeOf(await execute(repeated, one))).toBe(3);
    expect(outcomeOf(await execute(status('COMPLETED'), one))).toBe(4);
    expect(outcomeOf(await execute(status('WORKING'), two))).toBe('taskFinished');
  });

  it('lets one of two racing ends win and refuses the other', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { submit, status, cancel, taskId } = taskCommands();
      await execute(submit());
      const outcomes = (
        await Promise.all([execute(status('COMPLETED'), one), execute(cancel(), two)])
      ).map(outcomeOf);
      expect(outcomes).toContain(2);
      expect(outcomes.some((outcome) => typeof outcome === 'string')).toBe(true);
      expect((await two.bus.tasks.read(taskId))?.snapshot.revision).toBe(2);
    }
  });

  it('keeps the links of a task whole under writers at two replicas', async () => {
    const { submit, status, taskId } = taskCommands();
    await execute(submit());
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => execute(status('WORKING', `${n}`), n % 2 ? one : two)),
    );
    const successes = replies.filter((reply) => reply.type === 'done').length;
    const last = await one.bus.tasks.read(taskId);
    if (!last) throw new Error('the task is gone');
    expect(last.snapshot.revision).toBe(successes + 1);
    const changes = await one.bus.tasks.changesBetween(0, last);
    expect(changes?.map(({ snapshot }) => snapshot.revision)).toEqual(
      Array.from({ length: successes }, (_, n) => n + 1),
    );
  });

  it('does not execute a command after its deadline', async () => {
    const { submit, taskId } = taskCommands();
    const reply = await one.commands.execute(submit(), Date.now() - 1);
    expect(outcomeOf(reply)).toBe('unavailable');
    expect(await one.bus.tasks.read(taskId)).toBeUndefined();
  });

  it('refuses what would make a task too large, unchanged, and still lets it end', async () => {
    const small = await startTestTaskManager(nats.url, redis.url, 300 * 1024);
    const { submit, status, taskId } = taskCommands();
    done(await execute(submit('x'.repeat(9_000)), small));
    const outcomes: (string | number)[] = [];
    for (let n = 0; n < 8; n += 1) {
      outcomes.push(outcomeOf(await execute(status('WORKING', 'x'.repeat(9_000)), small)));
    }
    expect(outcomes.slice(0, 2)).toEqual([2, 3]);
    expect(outcomes.at(-1)).toBe('taskTooLarge');
    const before = await small.bus.tasks.read(taskId);
    expect(outcomeOf(await execute(status('COMPLETED', 'x'.repeat(9_000)), small))).toBe(
      (before?.snapshot.revision ?? 0) + 1,
    );
    await small.close();
  });
});

describe('task-manager while NATS is away', () => {
  it('knows after a stall whether its change was stored, and stores it once', async () => {
    const { submit, status, taskId } = taskCommands();
    await execute(submit());
    nats.pause();
    const pending = execute(status('WORKING', 'stalled'));
    setTimeout(() => nats.resume(), 6_000);
    const outcome = outcomeOf(await pending);
    const recorded = await one.bus.tasks.read(taskId);
    const texts = recorded?.snapshot.task.history?.filter(({ role }) => role === 'ROLE_AGENT');
    if (outcome === 'unavailable') expect(texts?.length).toBeLessThanOrEqual(1);
    else expect([outcome, texts?.length]).toEqual([2, 1]);
  });

  it('refuses at once and goes on when it is back, with all it acknowledged', async () => {
    const before = taskCommands();
    await execute(before.submit());
    await nats.kill();
    await expect.poll(() => one.bus.isConnected()).toBe(false);
    const since = performance.now();
    expect(outcomeOf(await execute(taskCommands().submit()))).toBe('unavailable');
    expect(performance.now() - since).toBeLessThan(500);
    await nats.restart();
    await expect.poll(() => one.bus.isConnected()).toBe(true);
    await expect.poll(async () => outcomeOf(await execute(before.status('WORKING')))).toBe(2);
  });
});
