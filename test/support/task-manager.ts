import { type Bus, connectBus } from '@relay/bus';
import { createLogger, loadConfig } from '@relay/runtime';
import { ChatIndex, DirectoryIndex, openStore, TaskIndex } from '@relay/store';
import { startProjections, startTaskManager, type TaskManager } from '@relay/task-manager';

export const testConfig = loadConfig({ RELAY_LOG_LEVEL: 'silent' });
const silentLogger = createLogger(testConfig, 'test');

export interface TestTaskManager extends TaskManager {
  readonly bus: Bus;
  readonly index: TaskIndex;
  readonly directoryIndex: DirectoryIndex;
  /** What a Redis that lost everything looks like. */
  flushIndex(): Promise<void>;
}

let replicas = 0;

/** A task-manager with connections of its own, as if it were a process of its own. */
export async function startTestTaskManager(
  natsUrl: string,
  redisUrl: string,
  taskLimitBytes = testConfig.taskLimitBytes,
): Promise<TestTaskManager> {
  replicas += 1;
  const replicaId = `task-manager-${replicas}`;
  const bus = await connectBus({ servers: natsUrl, name: replicaId, replicas: 1 });
  const store = openStore(redisUrl, () => undefined);
  const index = new TaskIndex(store.redis, () => bus.tasksCreated);
  const chatIndex = new ChatIndex(store.redis, () => bus.chatsCreated);
  const directoryIndex = new DirectoryIndex(store.redis, () => bus.registryRecords.created);
  const config = { ...testConfig, taskLimitBytes };
  const common = { bus, config, logger: silentLogger, replicaId };
  const projections = await startProjections({ ...common, index, chatIndex, directoryIndex });
  const manager = await startTaskManager(common);
  return {
    ...manager,
    bus,
    index,
    directoryIndex,
    flushIndex: async () => {
      await store.redis.flushall();
    },
    close: async () => {
      await manager.close();
      await projections.close();
      store.close();
      await bus.close();
    },
  };
}
