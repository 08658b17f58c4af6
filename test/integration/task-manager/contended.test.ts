import { expect, it, onTestFinished } from 'vitest';
import { contendedLink } from '../../support/rewriting-link.ts';
import { startRedis } from '../../support/servers.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { startTestTaskManager } from '../../support/task-manager.ts';
import { natsForTest } from '../../support/test-bus.ts';

it('commands that race at two replicas are decided also where conflicts are told as three servers do', async () => {
  const [nats, redis] = [await natsForTest(), await startRedis()];
  onTestFinished(() => redis.stop());
  const link = await contendedLink(nats.url);
  const start = async () => {
    const manager = await startTestTaskManager(link.url, redis.url);
    onTestFinished(() => manager.close());
    return manager;
  };
  const managers = [await start(), await start()];
  const { submit, status } = taskCommands();
  const executeAt = async (n: number, command: ReturnType<typeof submit | typeof status>) =>
    managers[n % 2]?.commands.execute(command, Date.now() + 10_000);
  await executeAt(0, submit());
  // One at each replica, so that no attempt is the last one.
  for (let round = 0; round < 10; round += 1) {
    const racing = [0, 1].map((n) => executeAt(n, status('WORKING', `${round} ${n}`)));
    const replies = await Promise.all(racing);
    expect(replies.map((reply) => reply?.type)).toEqual(['done', 'done']);
  }
  expect(link.rewritten()).toBeGreaterThan(0);
});
