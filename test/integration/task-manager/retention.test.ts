import type { TaskCommand } from '@relay/domain';
import { timestampAt } from '@relay/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { flushRedis } from '../../support/flush-redis.ts';
import { startRedis } from '../../support/servers.ts';
import { taskCommands, testContact } from '../../support/task-commands.ts';
import { startTestTaskManager } from '../../support/task-manager.ts';
import { natsForTest } from '../../support/test-bus.ts';

const day = 86_400_000;
const daysAgo = (days: number, command: TaskCommand): TaskCommand => ({
  ...command,
  at: timestampAt(Date.now() - days * day),
});

it('tasks that have been final for the retention are purged, open and younger ones are kept', async () => {
  const nats = await natsForTest();
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const first = await startTestTaskManager(nats.url, redis.url);
  const execute = (command: TaskCommand) => first.commands.execute(command, Date.now() + 10_000);
  const requester = testContact('planner');
  const [old, open, young] = [0, 1, 2].map(() => taskCommands(requester));
  if (!old || !open || !young) throw new Error('unreachable');
  for (const { submit } of [old, open]) await execute(daysAgo(40, submit()));
  await execute(daysAgo(35, old.status('COMPLETED')));
  await execute(daysAgo(31, young.submit()));
  await execute(daysAgo(29, young.status('COMPLETED')));
  const configs = first.bus.bucket('registry', 'push.', z.object({}));
  for (const { taskId } of [old, open]) await configs.create(taskId, {});
  await first.close();

  const second = await startTestTaskManager(nats.url, redis.url);
  onTestFinished(() => second.close());
  await expect.poll(() => second.bus.tasks.read(old.taskId)).toBeUndefined();
  expect(await second.bus.bucket('registry', 'push.', z.object({})).keys()).toEqual([open.taskId]);
  expect((await second.bus.tasks.read(open.taskId))?.snapshot.revision).toBe(1);
  expect((await second.bus.tasks.read(young.taskId))?.snapshot.revision).toBe(2);
  const sequence = await second.bus.tasks.stream.lastSequence();
  const listed = () =>
    second.index.list(
      { selection: { side: 'requester', agentId: requester.id }, limit: 10 },
      sequence,
    );
  await expect.poll(async () => (await listed())?.totalSize).toBe(2);
});

it('lists answer when the last tasks were purged before the index was built anew', async () => {
  const nats = await natsForTest();
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const manager = await startTestTaskManager(nats.url, redis.url);
  onTestFinished(() => manager.close());
  const requester = testContact('planner');
  const { submit, status } = taskCommands(requester);
  for (const command of [submit(), status('COMPLETED')]) {
    await manager.commands.execute(command, Date.now() + 10_000);
  }
  const sequence = await manager.bus.tasks.stream.lastSequence();
  const listed = () =>
    manager.index.list(
      { selection: { side: 'requester', agentId: requester.id }, limit: 10 },
      sequence,
    );
  await expect.poll(async () => (await listed())?.totalSize).toBe(1);
  await manager.bus.tasks.purge(submit().taskId, sequence);
  await flushRedis(redis.url);
  await expect.poll(async () => (await listed())?.totalSize).toBe(0);
});
