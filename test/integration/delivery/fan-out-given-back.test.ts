import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { checkpointSchema, partitions, streams } from '@relay/bus';
import { collectMetrics, createLogger } from '@relay/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { FanOut } from '../../../services/delivery/src/fan-out/fan-out.ts';
import { SharedPause } from '../../../services/delivery/src/pause.ts';
import { appendTasks } from '../../support/append-tasks.ts';
import { taskCommands } from '../../support/task-commands.ts';
import { testConfig } from '../../support/task-manager.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

async function refusals(): Promise<number> {
  const metrics = await collectMetrics();
  const appends = metrics.find(({ name }) => name === 'relay_append_seconds');
  const isRefusal = ({ labels }: { labels: Partial<Record<string, string | number>> }) =>
    labels['record'] === 'inbox' && labels['outcome'] === 'unavailable';
  return appends?.values.find(isRefusal)?.value ?? 0;
}

it('fan-out ends at once under a lease that is held until then, also where it cannot append', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const connection = await connectNats({ servers: nats.url });
  onTestFinished(() => connection.close());
  const { streams: manager } = await jetstreamManager(connection);
  await manager.update(streams.inbox, { max_msg_size: 1 });
  const logger = createLogger(testConfig, 'delivery');
  const fanOut = new FanOut({ bus, logger, pause: new SharedPause(), pushes: undefined });
  onTestFinished(() => fanOut.close());
  for (const partition of partitions) {
    fanOut.acquired({ name: String(partition), isHeld: () => true });
  }
  await appendTasks(bus, 20, () => taskCommands().submit(randomUUID()));
  await expect.poll(() => refusals()).toBeGreaterThan(0);
  await Promise.all(partitions.map((partition) => fanOut.lost(String(partition))));
  const checkpoints = bus.bucket('checkpoints', '', checkpointSchema);
  const saved = partitions.map((partition) => checkpoints.get(`fan-out.tasks.${partition}`));
  for (const entry of await Promise.all(saved)) expect(entry?.value.sequence).toBe(0);
});
