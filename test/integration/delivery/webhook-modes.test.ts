import { describe, expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, ask } from '../../support/webhooks.ts';

const relay = useDelivery('test', { webhookRetrySeconds: [0.1, 600], webhookTimeoutSeconds: 1 });

const remove = (subscriptionId: Awaited<ReturnType<typeof addWebhook>>['id']) =>
  ask(relay.delivery, relay.worker, 'delete-subscription', { subscriptionId });

async function deliveries() {
  const filter = {
    status: undefined,
    subscriptionId: undefined,
    eventType: undefined,
    createdAfter: undefined,
    createdBefore: undefined,
  };
  const asked = { filter, pageSize: 50, pageToken: undefined };
  return (await ask(relay.delivery, relay.worker, 'list-deliveries', asked)).deliveries;
}

describe('a switch to sockets', () => {
  it('brings what webhooks still tried, then what they had not begun, and back again', async () => {
    const receiver = await WebhookReceiver.start();
    const [failing, fine] = [relay.newTask(), relay.newTask()];
    const { taskId } = failing.commands;
    receiver.answer = (webhook) => (webhook.taskId === taskId ? 503 : 204);
    const { id } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await failing.submit();
    await failing.followUp('behind it');
    await fine.submit();
    await receiver.until((received) => received.length === 3);
    await remove(id);
    await fine.followUp('by socket');
    const socket = await relay.open();
    const events = await socket.untilEvents(3);
    const [failed] = receiver.eventIds;
    expect(events.map(({ eventId }) => eventId)).toContain(failed);
    const owedFirst = receiver.received.find(({ eventId }) => eventId === failed);
    expect(events.find(({ eventId }) => eventId === failed)?.body).toBe(owedFirst?.body);
    const again = await WebhookReceiver.start();
    await addWebhook(relay.delivery, relay.worker, again.url);
    const revisionsOf = (task: typeof fine) =>
      again.received.flatMap((webhook) =>
        webhook.taskId === task.commands.taskId ? webhook.revision : [],
      );
    await again.until(() => revisionsOf(failing).includes(2) && revisionsOf(fine).includes(2));
    expect(revisionsOf(failing)).toEqual([1, 2]);
    expect(await deliveries()).toEqual([]);
  });
});

describe('a second subscription', () => {
  it('brings what comes from then on, to both', async () => {
    const [one, two] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    await addWebhook(relay.delivery, relay.worker, one.url);
    await relay.newTask().submit();
    await one.count(1);
    await addWebhook(relay.delivery, relay.worker, two.url);
    const task = relay.newTask();
    await task.submit();
    await two.until((received) => received.some(({ taskId }) => taskId === task.commands.taskId));
    await one.until(() => one.eventIds.length === 2);
  });

  it('that is deleted takes what waits for it along as dead letters', async () => {
    const [one, two] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    two.answer = () => 503;
    await addWebhook(relay.delivery, relay.worker, one.url);
    const { id } = await addWebhook(relay.delivery, relay.worker, two.url);
    await relay.newTask().submit();
    await two.count(1);
    await one.count(1);
    await remove(id);
    const dead = { status: 'dead_letter', subscription_id: id, event_id: two.eventIds[0] };
    await expect.poll(() => deliveries()).toMatchObject([dead]);
    await relay.newTask().submit();
    await one.until(() => one.eventIds.length === 2);
  });

  it('gets only the types that it asks for', async () => {
    const [all, some] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    await addWebhook(relay.delivery, relay.worker, all.url);
    await addWebhook(relay.delivery, relay.worker, some.url, {
      subscribedEvents: ['task.canceled'],
    });
    const task = relay.newTask();
    await task.submit();
    await task.record(task.commands.cancel());
    await Promise.all([all.count(2), some.count(1)]);
    expect(some.received[0]?.eventId).toBe(all.received[1]?.eventId);
  });
});

it('webhooks go on when NATS is killed and comes back', { timeout: 60_000 }, async () => {
  const receiver = await WebhookReceiver.start();
  receiver.answer = ({ attempt }) => (attempt === 1 ? 503 : 204);
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  const before = relay.newTask();
  await before.submit();
  await receiver.count(1);
  await relay.nats.kill();
  await relay.nats.restart();
  const after = relay.newTask();
  await after.submit();
  await receiver.until((received) =>
    [before, after].every((task) =>
      received.some(({ taskId, attempt }) => taskId === task.commands.taskId && attempt === 2),
    ),
  );
});
