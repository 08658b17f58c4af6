import type { TaskCommand } from '@relay/domain';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../support/servers.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { startTestTaskManager } from '../../support/task-manager.ts';
import { natsForTest } from '../../support/test-bus.ts';
import { usedBytes } from '../../support/used-bytes.ts';

const mebibyte = 1024 * 1024;

it('what is remembered of tasks is bounded by their sizes, whatever became of them before', async () => {
  const nats = await natsForTest();
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const manager = await startTestTaskManager(nats.url, redis.url);
  onTestFinished(() => manager.close());
  const execute = (command: TaskCommand) => manager.commands.execute(command, Date.now() + 10_000);
  const before = await usedBytes();
  for (let size = 3_400_000; size < 3_400_040; size += 1) {
    const { submit, status, artifact } = taskCommands();
    await execute(submit());
    for (let n = 0; n < 10; n += 1) await execute(status('WORKING'));
    expect(await execute(artifact('large', 'x'.repeat(size)))).toMatchObject({ type: 'done' });
  }
  expect((await usedBytes()) - before).toBeLessThan(90 * mebibyte);
});
