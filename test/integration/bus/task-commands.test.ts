import type { TaskCommand, TaskCommandPort, TaskCommandReply } from '@relay/domain';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../support/servers.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { startTestTaskManager } from '../../support/task-manager.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const inSeconds = (seconds: number) => Date.now() + seconds * 1_000;
const outcomeOf = (reply: TaskCommandReply) =>
  reply.type === 'refused'
    ? reply.refusal.error
    : 'revision' in reply
      ? reply.revision
      : reply.type;

it('a command is executed by one of the task-managers that listen', async () => {
  const nats = await natsForTest();
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const managers = [
    await startTestTaskManager(nats.url, redis.url),
    await startTestTaskManager(nats.url, redis.url),
  ];
  for (const manager of managers) {
    manager.bus.serveTaskCommands(manager.commands, () => undefined);
    onTestFinished(() => manager.close());
  }
  const { taskCommands: port } = await busForTest(nats);
  const { submit, status, cancel } = taskCommands();
  expect(outcomeOf(await port.execute(submit(), inSeconds(10)))).toBe(1);
  expect(outcomeOf(await port.execute(status('WORKING'), inSeconds(10)))).toBe(2);
  expect(outcomeOf(await port.execute(cancel(), inSeconds(10)))).toBe(3);
  expect(outcomeOf(await port.execute(status('COMPLETED'), inSeconds(10)))).toBe('taskFinished');
});

it('a command that gets no answer is sent again under the same id', async () => {
  const nats = await natsForTest();
  const server = await busForTest(nats);
  const seen: string[] = [];
  const silentOnce: TaskCommandPort = {
    execute: async (command) => {
      seen.push(command.changeId);
      if (seen.length === 1) await new Promise(() => undefined);
      return { type: 'refused', refusal: { error: 'taskNotFound' } };
    },
  };
  server.serveTaskCommands(silentOnce, () => undefined);
  const { taskCommands: port } = await busForTest(nats);
  const command: TaskCommand = taskCommands().cancel();
  expect(outcomeOf(await port.execute(command, inSeconds(10)))).toBe('taskNotFound');
  expect(seen).toEqual([command.changeId, command.changeId]);
});

it('a caller is told soon that no task-manager listens', async () => {
  const { taskCommands: port } = await busForTest(await natsForTest());
  const since = performance.now();
  expect(outcomeOf(await port.execute(taskCommands().submit(), inSeconds(10)))).toBe('unavailable');
  expect(performance.now() - since).toBeLessThan(4_000);
});

it('a command that lay in a buffer past its deadline is not executed', async () => {
  const nats = await natsForTest();
  const executed: string[] = [];
  (await busForTest(nats)).serveTaskCommands(
    {
      execute: async (command) => {
        executed.push(command.type);
        return { type: 'refused', refusal: { error: 'taskNotFound' } };
      },
    },
    () => undefined,
  );
  const { taskCommands: port } = await busForTest(nats);
  nats.pause();
  const deadline = inSeconds(1);
  expect(outcomeOf(await port.execute(taskCommands().cancel(), deadline))).toBe('unavailable');
  // The caller's timer may fire a moment early.
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThanOrEqual(deadline);
  nats.resume();
  expect(outcomeOf(await port.execute(taskCommands().submit(), inSeconds(10)))).toBe(
    'taskNotFound',
  );
  expect(executed).toEqual(['submit']);
});

it('a caller is told at once, and of nothing but that, while NATS is away', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const execute = () => bus.taskCommands.execute(taskCommands().submit(), inSeconds(10));
  const outcomes: (string | number)[] = [];
  await nats.kill();
  for (let n = 0; n < 20; n += 1) outcomes.push(outcomeOf(await execute()));
  expect(new Set(outcomes)).toEqual(new Set(['unavailable']));
  await nats.restart();
});
