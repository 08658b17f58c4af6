import { feedKey, readDelivery } from '@relay/bus';
import type { WebhookDeliveryId } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keyOfDelivery } from '../../../services/delivery/src/webhook/deliveries/delivery-view.ts';
import { redrive } from '../../../services/delivery/src/webhook/deliveries/redrive.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { changeFeed, untilAcknowledged } from '../../support/feed-record.ts';
import { busForTest } from '../../support/test-bus.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, ask, everything } from '../../support/webhooks.ts';

const relay = useDelivery('test', { webhookRetrySeconds: [0.1, 600], webhookTimeoutSeconds: 1 });

const feedSchema = z.looseObject({
  position: z.looseObject({ sequence: z.int() }).nullable(),
  subscriptions: z.array(z.looseObject({ id: z.string() })),
});

const remove = (subscriptionId: Awaited<ReturnType<typeof addWebhook>>['id']) =>
  ask(relay.delivery, relay.worker, 'delete-subscription', { subscriptionId });

async function deliveries(at = relay.delivery) {
  const asked = { filter: everything, pageSize: 50, pageToken: undefined };
  return (await ask(at, relay.worker, 'list-deliveries', asked)).deliveries;
}

/** Resolves when it is saved that the feed is past a delivery. */
async function untilPassed(id: WebhookDeliveryId | undefined): Promise<void> {
  const passed = async () => {
    const feeds = relay.delivery.bus.bucket('feeds', '', feedSchema);
    return (await feeds.get(feedKey(relay.worker.id)))?.value.position?.sequence;
  };
  await expect.poll(passed).toBe(Number(id?.split('_')[1]));
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

describe('events that are held', () => {
  /** An endpoint that is off, and what is held for it. */
  async function hold(count: number) {
    const { url } = await WebhookReceiver.start();
    const { id } = await addWebhook(relay.delivery, relay.worker, url);
    await ask(relay.delivery, relay.worker, 'change-subscription', {
      subscriptionId: id,
      isActive: false,
    });
    for (let n = 0; n < count; n += 1) await relay.newTask().submit();
    await expect.poll(() => statuses()).toEqual(Array.from({ length: count }, () => 'held'));
    return id;
  }
  const statuses = async (at = relay.delivery) =>
    (await deliveries(at)).map(({ status }) => status);

  it('go on by socket when the last subscription is deleted, once', async () => {
    await remove(await hold(2));
    const socket = await relay.open();
    await socket.untilEvents(2);
    socket.acknowledge();
    await expect.poll(() => statuses()).toEqual([]);
    await untilAcknowledged(relay.delivery, relay.worker, 2);
    await socket.close();
    const { url } = await WebhookReceiver.start();
    await remove((await addWebhook(relay.delivery, relay.worker, url)).id);
    await relay.newTask().submit();
    const again = await relay.open();
    await again.untilEvents(1);
    expect(again.events.map(({ sequence }) => sequence)).toEqual([3]);
  });

  it('are given up when another subscription remains', async () => {
    const id = await hold(2);
    const { url } = await WebhookReceiver.start();
    await addWebhook(relay.delivery, relay.worker, url);
    await remove(id);
    await expect.poll(() => statuses()).toEqual(['dead_letter', 'dead_letter']);
  });

  it('keep no reader waiting while they are given up, however many they are', async () => {
    const id = await hold(1);
    const { deliveries: records } = relay.delivery.bus;
    const [delivery] = await deliveries();
    if (!delivery) throw new Error('nothing is listed');
    const first = keyOfDelivery(relay.worker.id, delivery.id);
    const keyOf = (n: number) => ({ ...first, sequence: first.sequence + n });
    const read = async (n: number) => {
      const stored = await records.read(keyOf(n));
      if (!stored) throw new Error('nothing is stored');
      return { record: readDelivery(stored), body: stored.data };
    };
    const held = { ...(await read(0)), attempts: [] };
    const write = (_: unknown, n: number) => records.write({ ...held, key: keyOf(n + 1) }, 0);
    await Promise.all(Array.from({ length: 3_000 }, write));
    const { url } = await WebhookReceiver.start();
    await addWebhook(relay.delivery, relay.worker, url);
    const statusOf = async (n: number) => (await read(n)).record.status;
    await remove(id);
    await expect.poll(() => statusOf(0)).toBe('dead_letter');
    for (let n = 0; n < 3; n += 1) expect(await statusOf(3_000)).toBe('held');
  });

  it('are given up by the next owner, too', async () => {
    const id = await hold(2);
    const { url } = await WebhookReceiver.start();
    await addWebhook(relay.delivery, relay.worker, url);
    const feeds = (await busForTest(relay.nats)).bucket('feeds', '', feedSchema);
    await untilPassed((await deliveries())[0]?.id);
    await relay.delivery.close();
    await feeds.change(feedKey(relay.worker.id), (feed) => ({
      position: null,
      ...feed,
      subscriptions: feed?.subscriptions.filter((each) => each.id !== id) ?? [],
    }));
    const next = await relay.start();
    await expect.poll(() => statuses(next)).toEqual(['dead_letter', 'dead_letter']);
  });
});

it('a feed record that cannot be read stops nothing', async () => {
  const receiver = await WebhookReceiver.start();
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  await changeFeed(relay.delivery, relay.worker, (feed) => ({ ...feed, subscriptions: ['?'] }));
  await relay.newTask().submit();
  await receiver.count(1);
});

describe('an event that is redriven while the last subscription is deleted', () => {
  /** Dead; what redrives it has seen that its subscription is there. */
  async function giveUp() {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 400;
    const { id } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await relay.newTask().submit();
    await expect.poll(statuses).toEqual(['dead_letter']);
    const [delivery] = await deliveries();
    if (!delivery) throw new Error('nothing is listed');
    await untilPassed(delivery.id);
    const { bus } = relay.delivery;
    const key = keyOfDelivery(relay.worker.id, delivery.id);
    const stored = await bus.deliveries.read(key);
    const found = { key, sequence: stored?.sequence ?? 0 };
    return { id, redrive: () => redrive(bus, found, Date.now() + 600_000) };
  }
  const statuses = async () =>
    (await deliveries()).map(({ status, dead_lettered_at }) => dead_lettered_at && status);

  it('is given up again where that was too late for it to go on by socket', async () => {
    const { id, redrive: redriveLate } = await giveUp();
    await remove(id);
    await redriveLate();
    await expect.poll(statuses).toEqual(['dead_letter']);
  });

  it('is given up again where whoever deletes has not seen it', async () => {
    const { redrive: redriveUnseen } = await giveUp();
    await redriveUnseen();
    await changeFeed(relay.delivery, relay.worker, (feed) => ({ ...feed, subscriptions: [] }));
    await expect.poll(statuses).toEqual(['dead_letter']);
  });

  it('is given up again where it was held since', async () => {
    const { id: subscriptionId, redrive: redriveUnseen } = await giveUp();
    const off = { subscriptionId, isActive: false };
    await ask(relay.delivery, relay.worker, 'change-subscription', off);
    await redriveUnseen();
    await expect
      .poll(async () => (await deliveries()).map(({ status }) => status))
      .toEqual(['held']);
    await changeFeed(relay.delivery, relay.worker, (feed) => ({ ...feed, subscriptions: [] }));
    await expect.poll(statuses).toEqual(['dead_letter']);
  });

  it('goes on by socket where it was in time', async () => {
    const { id, redrive: redriveInTime } = await giveUp();
    await redriveInTime();
    await remove(id);
    await (await relay.open()).untilEvents(1);
    await expect.poll(statuses).toEqual([]);
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
