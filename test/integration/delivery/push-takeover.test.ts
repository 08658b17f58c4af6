import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@relay/bus';
import { createSecretKeyText } from '@relay/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  registerAgent,
  type TestAgent,
  type TestDelivery,
  TestTask,
} from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { endProcess } from '../../support/node-process.ts';
import { spawnSource } from '../../support/spawn-source.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';
import { type ReceivedWebhook, WebhookReceiver } from '../../support/webhook-receiver.ts';
import { ask } from '../../support/webhooks.ts';

const retrySeconds = [0.05, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2];
const updates = 12;

/** Takes each notification at its second or third attempt, now and then slowly. */
const failOften = async ({ revision, attempt }: ReceivedWebhook) => {
  if (revision % 5 === 0) await sleep(30);
  return attempt > revision % 3 ? 204 : 503;
};

/** As the gateway asks for it when a config comes with the first message. */
const pushTo = (
  delivery: Pick<TestDelivery, 'commands'>,
  agent: TestAgent,
  task: TestTask,
  url: string,
) =>
  ask(delivery, agent, 'set-push-config', {
    taskId: task.commands.taskId,
    config: { id: randomUUID(), url, token: 'token' },
    form: { version: '1.0' },
    start: { messageId: 'first' },
  });

const write = async (task: TestTask) => {
  await task.submit();
  for (let n = 0; n < updates; n += 1) {
    await task.record(task.commands.status('WORKING', `update ${n}`));
  }
};

/** Every update of every task came, for the first time in order, and always with the same bytes. */
async function expectAllInOrder(receiver: WebhookReceiver, tasks: readonly TestTask[]) {
  const told = ({ commands }: TestTask) => [
    ...new Set(
      receiver.received
        .filter(({ taskId }) => taskId === commands.taskId)
        .map(({ revision }) => revision),
    ),
  ];
  await receiver.until(() => tasks.every((task) => told(task).length === updates));
  for (const task of tasks) {
    expect(told(task)).toEqual(Array.from({ length: updates }, (_, n) => n + 2));
  }
  const bodies = new Set(receiver.received.map(({ body }) => body));
  expect(bodies.size).toBe(tasks.length * updates);
}

describe('push notifications that go over to another replica', () => {
  const relay = useDelivery('test', { webhookRetrySeconds: retrySeconds });

  it('are neither lost nor reordered when replicas come and go in order', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = failOften;
    const { delivery } = relay;
    const tasks = Array.from({ length: 12 }, relay.newTask);
    for (const task of tasks) await pushTo(delivery, relay.planner, task, receiver.url);
    const written = Promise.all(tasks.map(write));
    await receiver.count(20);
    const second = await relay.start();
    await receiver.count(60);
    await delivery.drain();
    await receiver.count(100);
    await relay.start();
    await written;
    await expectAllInOrder(receiver, tasks);
    expect(second.isReady()).toBe(true);
  });

  it('come once, where fan-out goes over a change again', async () => {
    const receiver = await WebhookReceiver.start();
    const task = relay.newTask();
    await pushTo(relay.delivery, relay.planner, task, receiver.url);
    await write(task);
    await receiver.count(updates);
    const { bus } = relay.delivery;
    const { deliveries } = bus;
    await vi.waitUntil(async () => !(await deliveries.stream.readLast('delivery.>')));
    await relay.delivery.drain();
    // As if the owner had been killed before it could say how far it was.
    for (let partition = 0; partition < 8; partition += 1) {
      await bus.bucket('checkpoints', '', z.unknown()).delete(`fan-out.tasks.${partition}`);
    }
    await relay.start();
    const witness = relay.newTask();
    const other = await WebhookReceiver.start();
    await pushTo(relay.delivery, relay.planner, witness, other.url);
    await write(witness);
    await other.count(updates);
    expect(receiver.received).toHaveLength(updates);
  });
});

describe('a replica that is killed', () => {
  it('leaves its push notifications to the others, which lose and reorder nothing', {
    timeout: 120_000,
  }, async () => {
    const nats = await natsForTest();
    const bus = await busForTest(nats);
    const registry = new Registry(bus);
    const environment = {
      RELAY_NATS_URL: nats.url,
      RELAY_ADMIN_TOKEN: 'admin-token',
      RELAY_SECRET_KEY: createSecretKeyText(),
      RELAY_ALLOW_PRIVATE_TARGETS: 'true',
      RELAY_WEBHOOK_RETRY_SECONDS: retrySeconds.join(),
      RELAY_LOG_LEVEL: 'error',
      RELAY_PORT: '0',
    };
    const start = () => {
      const child = spawnSource('services/delivery/src/main.ts', [], environment);
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const victim = start();
    const receiver = await WebhookReceiver.start();
    receiver.answer = failOften;
    const { deliveryCommands: commands } = bus;
    const worker = await registerAgent(registry);
    const listen = () =>
      ask({ commands }, worker, 'list-subscriptions', {}).then(
        () => true,
        () => false,
      );
    await vi.waitUntil(listen, { timeout: 20_000, interval: 100 });
    start();
    // So many that each replica has some of them.
    const planners = await Promise.all(Array.from({ length: 6 }, () => registerAgent(registry)));
    const sent = [...planners, ...planners].map((planner) => ({
      planner,
      task: new TestTask(bus, planner.contact, worker.contact),
    }));
    for (const { planner, task } of sent) await pushTo({ commands }, planner, task, receiver.url);
    const tasks = sent.map(({ task }) => task);
    const written = Promise.all(tasks.map(write));
    await receiver.count(40);
    await endProcess(victim, 'SIGKILL');
    await written;
    await expectAllInOrder(receiver, tasks);
  });
});
