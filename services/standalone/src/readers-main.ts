import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { startBus } from '@relay/bus';
import { startFanOut } from '@relay/delivery';
import {
  collectMetrics,
  createLogger,
  enlargeBufferPool,
  Lifecycle,
  standardOutput,
  traceWhereTold,
} from '@relay/runtime';
import { ChatIndex, DirectoryIndex, startStore, TaskIndex } from '@relay/store';
import { startProjections } from '@relay/task-manager';
import { z } from 'zod';
import type { ReadersThreadData, ReadersThreadMessage } from './readers-thread.ts';

// What starts this thread is of this package, so what it gives is taken at its word.
const given = z.custom<ReadersThreadData>().parse(workerData);
const { natsUrl, redisUrl, config } = given;
const logger = createLogger(config, 'relay', standardOutput());
const lifecycle = new Lifecycle(logger);
const context = { config, logger, lifecycle };

enlargeBufferPool();
await traceWhereTold(config, lifecycle, 'relay');
const { bus } = await startBus(context, { natsUrl, name: 'relay-readers' });
const { redis } = await startStore(context, redisUrl);
const common = { bus, config, logger, replicaId: randomUUID() };
const index = new TaskIndex(redis, () => bus.tasksCreated);
const chatIndex = new ChatIndex(redis, () => bus.chatsCreated);
const directoryIndex = new DirectoryIndex(redis, () => bus.registryRecords.created);
await lifecycle.start(
  'projections',
  () => startProjections({ ...common, index, chatIndex, directoryIndex }),
  (started) => started.close(),
);
await lifecycle.start(
  'fan-out',
  () => startFanOut(common),
  (started) => started.close(),
);
parentPort?.on('message', (message: ReadersThreadMessage) => {
  if (message === 'stop') void lifecycle.stop().then(() => logger.flush(() => process.exit()));
  else void collectMetrics().then((metrics) => message.metricsTo.postMessage(metrics, []));
});
parentPort?.postMessage('ready', []);
