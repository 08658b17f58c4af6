import { describe, expect, it } from 'vitest';
import type { TestTask } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { type ReceivedWebhook, WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook } from '../../support/webhooks.ts';

const webhookRetrySeconds = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5];
const relay = useDelivery('file', { webhookRetrySeconds, webhookTimeoutSeconds: 5 });

const byTask = (received: readonly ReceivedWebhook[], task: TestTask) =>
  received.filter(({ taskId }) => taskId === task.commands.taskId);

/** The revisions of a task in the order in which they first came. */
const firstRevisions = (received: readonly ReceivedWebhook[], task: TestTask) => [
  ...new Set(byTask(received, task).map(({ revision }) => revision)),
];

const write = async (task: TestTask, count: number) => {
  await task.submit();
  for (let n = 1; n < count; n += 1) await task.followUp(`message ${n}`);
};

describe('the events of one task', () => {
  it('reach an endpoint in order, whichever of them fail', async () => {
    const receiver = await WebhookReceiver.start();
    const taken = new Map<string, number>();
    const early: ReceivedWebhook[] = [];
    receiver.answer = (webhook) => {
      const { taskId, revision, attempt } = webhook;
      if (revision > (taken.get(taskId) ?? 0) + 1) early.push(webhook);
      if ((revision + attempt) % 3 !== 0) return 503;
      taken.set(taskId, Math.max(revision, taken.get(taskId) ?? 0));
      return 204;
    };
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    const tasks = Array.from({ length: 4 }, relay.newTask);
    await Promise.all(tasks.map((task) => write(task, 8)));
    await receiver.until(() => tasks.every((task) => taken.get(task.commands.taskId) === 8));
    expect(early).toEqual([]);
    for (const task of tasks) {
      expect(firstRevisions(receiver.received, task)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
  });

  it('hold up nothing but themselves when one of them fails', async () => {
    const receiver = await WebhookReceiver.start();
    const [stuck, other] = [relay.newTask(), relay.newTask()];
    const { taskId } = stuck.commands;
    receiver.answer = (webhook) => (webhook.taskId === taskId ? 503 : 204);
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    await write(stuck, 5);
    await write(other, 5);
    await receiver.until((received) => byTask(received, other).length === 5);
    expect(firstRevisions(receiver.received, stuck)).toEqual([1]);
    receiver.answer = () => 204;
    await receiver.until((received) => firstRevisions(received, stuck).length === 5);
    expect(firstRevisions(receiver.received, stuck)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('an endpoint that does not answer', () => {
  it('makes no other endpoint wait, neither of its agent nor of another one', async () => {
    const [silent, healthy, others] = [
      await WebhookReceiver.start(),
      await WebhookReceiver.start(),
      await WebhookReceiver.start(),
    ];
    silent.answer = () => null;
    await addWebhook(relay.delivery, relay.worker, silent.url);
    await addWebhook(relay.delivery, relay.worker, healthy.url);
    await addWebhook(relay.delivery, relay.planner, others.url);
    for (let n = 0; n < 40; n += 1) {
      const task = relay.newTask();
      await task.submit();
      await task.record(task.commands.status('WORKING'));
    }
    await Promise.all([healthy.count(40), others.count(40)]);
    expect(silent.received.length).toBeLessThanOrEqual(8);
  });

  it('gets few requests while it fails, and everything once when it is back', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 500;
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    for (let n = 0; n < 100; n += 1) await relay.newTask().submit();
    await receiver.count(12);
    const before = receiver.received.length;
    expect(before).toBeLessThan(60);
    receiver.answer = () => 204;
    await receiver.until(() => receiver.eventIds.length === 100);
    const sinceThen = receiver.received.slice(before).map(({ eventId }) => eventId);
    expect(sinceThen.length - new Set(sinceThen).size).toBeLessThanOrEqual(8);
  });
});

it('an endpoint that is back is first tried with what it has not refused', async () => {
  const receiver = await WebhookReceiver.start();
  const poison = Array.from({ length: 12 }, relay.newTask);
  const isPoison = ({ taskId }: ReceivedWebhook) =>
    poison.some(({ commands }) => commands.taskId === taskId);
  receiver.answer = (webhook) => (isPoison(webhook) ? 500 : 204);
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  for (const task of poison) await task.submit();
  // More than once each: it is tried with one at a time by now.
  await receiver.count(18);
  const { length } = receiver.received;
  await relay.newTask().submit();
  await receiver.until((received) => received.some((webhook) => !isPoison(webhook)));
  // A few may go before the task is heard of, but not each of those that wait.
  expect(receiver.received.length - length).toBeLessThanOrEqual(poison.length / 2);
});

it('an endpoint gets eight requests at once at most, each of another task', async () => {
  const receiver = await WebhookReceiver.start();
  const open = new Set<string>();
  let most = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.answer = async ({ taskId }) => {
    expect(open.has(taskId)).toBe(false);
    open.add(taskId);
    most = Math.max(most, open.size);
    if (open.size === 8) release();
    await released;
    open.delete(taskId);
    return 204;
  };
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  const tasks = Array.from({ length: 20 }, relay.newTask);
  await Promise.all(tasks.map((task) => write(task, 2)));
  await receiver.count(40);
  expect(most).toBe(8);
});
