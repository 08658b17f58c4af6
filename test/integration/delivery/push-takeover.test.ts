import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { TestTask } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import {
  takeoverRetrySeconds,
  tellWhileReplicaIsKilled,
  tellWhileReplicasComeAndGo,
  type Way,
} from '../../support/takeover.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { ask } from '../../support/webhooks.ts';

const updates = 12;

const pushes: Way = {
  // As the gateway asks for it when a config comes with the first message.
  ask: async (delivery, { planner, tasks }, url) => {
    for (const { commands } of tasks) {
      const asked = {
        taskId: commands.taskId,
        config: { id: randomUUID(), url, token: 'token' },
        form: { version: '1.0' },
        start: { messageId: 'first' },
      } as const;
      // Under load it may be refused as unavailable; the same config again replaces it.
      const set = () => ask(delivery, planner, 'set-push-config', asked);
      await vi.waitFor(set, { timeout: 30_000, interval: 200 });
    }
  },
  write: async (task) => {
    await task.submit();
    for (let n = 0; n < updates; n += 1) {
      await task.record(task.commands.status('WORKING', `update ${n}`));
    }
  },
  revisions: Array.from({ length: updates }, (_, n) => n + 2),
};

describe('push notifications that go over to another replica', () => {
  const relay = useDelivery('test', { webhookRetrySeconds: takeoverRetrySeconds });

  const push = async (task: TestTask, receiver: WebhookReceiver) => {
    const { delivery, planner, worker } = relay;
    await pushes.ask(delivery, { planner, worker, tasks: [task] }, receiver.url);
    await pushes.write(task);
    await receiver.count(updates);
  };

  it('are neither lost nor reordered when replicas come and go in order', () =>
    tellWhileReplicasComeAndGo(relay, pushes));

  it('come once, where fan-out goes over a change again', async () => {
    const receiver = await WebhookReceiver.start();
    const task = relay.newTask();
    await push(task, receiver);
    const { bus } = relay.delivery;
    const { deliveries } = bus;
    await expect.poll(() => deliveries.stream.readLast('delivery.>')).toBeUndefined();
    await relay.delivery.drain();
    // As if the owner had been killed before it could say how far it was.
    for (let partition = 0; partition < 8; partition += 1) {
      await bus.bucket('checkpoints', '', z.unknown()).delete(`fan-out.tasks.${partition}`);
    }
    await relay.start();
    const witness = relay.newTask();
    const other = await WebhookReceiver.start();
    await push(witness, other);
    expect(receiver.received).toHaveLength(updates);
  });
});

const patient = { timeout: 120_000 };

describe('a replica that is killed', () => {
  it('leaves its push notifications to the others, which lose and reorder nothing', patient, () =>
    tellWhileReplicaIsKilled(pushes),
  );
});
