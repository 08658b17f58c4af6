import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@relay/bus';
import { createSecretKeyText } from '@relay/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { registerAgent, TestTask } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { endProcess } from '../../support/node-process.ts';
import { spawnSource } from '../../support/spawn-source.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';
import { type ReceivedWebhook, WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, ask } from '../../support/webhooks.ts';

const retrySeconds = [0.05, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2];
const tasksAtOnce = 12;
const messages = 15;

/** Takes each event at its second or third attempt, now and then slowly. */
const failOften = async ({ revision, attempt }: ReceivedWebhook) => {
  if (revision % 5 === 0) await sleep(30);
  return attempt > revision % 3 ? 204 : 503;
};

const write = async (task: TestTask) => {
  await task.submit();
  for (let n = 1; n < messages; n += 1) await task.followUp(`message ${n}`);
};

/** Every event of every task came, for the first time in order, and always with the same bytes. */
async function expectAllInOrder(receiver: WebhookReceiver, tasks: readonly TestTask[]) {
  await receiver.until(() => receiver.eventIds.length === tasks.length * messages);
  for (const { commands } of tasks) {
    const revisions = receiver.received
      .filter(({ taskId }) => taskId === commands.taskId)
      .map(({ revision }) => revision);
    expect([...new Set(revisions)]).toEqual(Array.from({ length: messages }, (_, n) => n + 1));
  }
  const bodies = new Set(receiver.received.map(({ body }) => body));
  expect(bodies.size).toBe(tasks.length * messages);
}

describe('webhooks that go over to another replica', () => {
  const relay = useDelivery('test', { webhookRetrySeconds: retrySeconds });

  it('lose and reorder nothing when replicas come and go in order', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = failOften;
    const { delivery } = relay;
    await addWebhook(delivery, relay.worker, receiver.url);
    const tasks = Array.from({ length: tasksAtOnce }, relay.newTask);
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
});

describe('a replica that is killed', () => {
  const settings = (natsUrl: string, secretKey: string) => ({
    RELAY_NATS_URL: natsUrl,
    RELAY_ADMIN_TOKEN: 'admin-token',
    RELAY_SECRET_KEY: secretKey,
    RELAY_ALLOW_PRIVATE_TARGETS: 'true',
    RELAY_WEBHOOK_RETRY_SECONDS: retrySeconds.join(),
    RELAY_LOG_LEVEL: 'error',
    RELAY_PORT: '0',
  });

  it('leaves its webhooks to the others, which lose and reorder nothing', {
    timeout: 60_000,
  }, async () => {
    const nats = await natsForTest();
    const bus = await busForTest(nats);
    const registry = new Registry(bus);
    const environment = settings(nats.url, createSecretKeyText());
    const start = () => {
      const child = spawnSource('services/delivery/src/main.ts', [], environment);
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const victim = start();
    const receiver = await WebhookReceiver.start();
    receiver.answer = failOften;
    const { deliveryCommands: commands } = bus;
    const planner = await registerAgent(registry);
    const listen = () =>
      ask({ commands }, planner, 'list-subscriptions', {}).then(
        () => true,
        () => false,
      );
    await vi.waitUntil(listen, { timeout: 20_000, interval: 100 });
    start();
    // So many that each replica has some of them.
    const workers = await Promise.all(Array.from({ length: 6 }, () => registerAgent(registry)));
    for (const worker of workers) await addWebhook({ commands }, worker, receiver.url);
    const tasks = [...workers, ...workers].map(
      (worker) => new TestTask(bus, planner.contact, worker.contact),
    );
    const written = Promise.all(tasks.map(write));
    await receiver.count(40);
    await endProcess(victim, 'SIGKILL');
    await written;
    await expectAllInOrder(receiver, tasks);
  });
});
