import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@relay/bus';
import { createSecretKeyText } from '@relay/runtime';
import { expect, onTestFinished, vi } from 'vitest';
import { registerAgent, type TestAgent, type TestDelivery, TestTask } from './delivery.ts';
import type { DeliveryFixture } from './delivery-fixture.ts';
import { endProcess } from './node-process.ts';
import { spawnSource } from './spawn-source.ts';
import { busForTest, natsForTest } from './test-bus.ts';
import { type ReceivedWebhook, WebhookReceiver } from './webhook-receiver.ts';
import { ask } from './webhooks.ts';

/** Enough for a receiver that fails often. */
export const takeoverRetrySeconds = [0.05, 0.1, ...Array.from({ length: 8 }, () => 0.2)];

interface Parties {
  readonly planner: TestAgent;
  readonly worker: TestAgent;
  /** From the planner to the worker. */
  readonly tasks: readonly TestTask[];
}

/** How something of tasks gets to a receiver, whichever replica sends it. */
export interface Way {
  /** Asks for it. */
  readonly ask: (
    delivery: Pick<TestDelivery, 'commands'>,
    parties: Parties,
    url: string,
  ) => Promise<void>;
  /** Makes all of a task that is to be told. */
  readonly write: (task: TestTask) => Promise<void>;
  /** Of each task, those that the receiver is told of. */
  readonly revisions: readonly number[];
}

/** Of many tasks all is told, in order, while replicas come and go in order. */
export async function tellWhileReplicasComeAndGo(relay: DeliveryFixture, way: Way): Promise<void> {
  const { delivery, planner, worker } = relay;
  const receiver = await startFailingReceiver();
  const tasks = Array.from({ length: 12 }, relay.newTask);
  await way.ask(delivery, { planner, worker, tasks }, receiver.url);
  const written = Promise.all(tasks.map(way.write));
  await receiver.count(20);
  const second = await relay.start();
  await receiver.count(60);
  await delivery.drain();
  await receiver.count(100);
  await relay.start();
  await written;
  await expectAllInOrder(receiver, tasks, way);
  expect(second.isReady()).toBe(true);
}

/** The same while one of two replicas, processes of their own, is killed. */
export async function tellWhileReplicaIsKilled(way: Way): Promise<void> {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const registry = new Registry(bus);
  const start = replicaStarter(nats.url);
  const victim = start();
  const { deliveryCommands: commands } = bus;
  const someone = await registerAgent(registry);
  const isListening = () =>
    ask({ commands }, someone, 'list-subscriptions', {}).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(isListening, { timeout: 20_000, interval: 100 });
  start();
  const receiver = await startFailingReceiver();
  const tasks: TestTask[] = [];
  // So many that each replica has some of them.
  for (let pair = 0; pair < 6; pair += 1) {
    const [planner, worker] = [await registerAgent(registry), await registerAgent(registry)];
    const own = [1, 2].map(() => new TestTask(bus, planner.contact, worker.contact));
    await way.ask({ commands }, { planner, worker, tasks: own }, receiver.url);
    tasks.push(...own);
  }
  const written = Promise.all(tasks.map(way.write));
  await receiver.count(40);
  await endProcess(victim, 'SIGKILL');
  await written;
  await expectAllInOrder(receiver, tasks, way);
}

function replicaStarter(natsUrl: string) {
  const environment = {
    RELAY_NATS_URL: natsUrl,
    RELAY_ADMIN_TOKEN: 'admin-token',
    RELAY_SECRET_KEY: createSecretKeyText(),
    RELAY_ALLOW_PRIVATE_TARGETS: 'true',
    RELAY_WEBHOOK_RETRY_SECONDS: takeoverRetrySeconds.join(),
    RELAY_LOG_LEVEL: 'error',
    RELAY_PORT: '0',
  };
  return () => {
    const child = spawnSource('services/delivery/src/main.ts', [], environment);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
}

/** It takes each request at its second or third attempt, now and then slowly. */
async function startFailingReceiver(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receiver.answer = async ({ revision, attempt }: ReceivedWebhook) => {
    if (revision % 5 === 0) await sleep(30);
    return attempt > revision % 3 ? 204 : 503;
  };
  return receiver;
}

/** All of every task came, for the first time in order, and always with the same bytes. */
async function expectAllInOrder(
  receiver: WebhookReceiver,
  tasks: readonly TestTask[],
  { revisions }: Way,
): Promise<void> {
  const told = ({ commands }: TestTask) => {
    const received = receiver.received.filter(({ taskId }) => taskId === commands.taskId);
    return [...new Set(received.map(({ revision }) => revision))];
  };
  await receiver.until(() => tasks.every((task) => told(task).length === revisions.length));
  for (const task of tasks) expect(told(task)).toEqual(revisions);
  const bodies = new Set(receiver.received.map(({ body }) => body));
  expect(bodies.size).toBe(tasks.length * revisions.length);
}
