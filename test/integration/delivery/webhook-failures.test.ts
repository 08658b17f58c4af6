import { readDelivery, readDeliveryAttempts } from '@relay/bus';
import {
  type DeliveryStatus,
  type SubscriptionId,
  subscriptionIdSchema,
  type WebhookDelivery,
  type WebhookDeliveryId,
} from '@relay/protocol';
import { renderMetrics } from '@relay/runtime';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, ask, everything } from '../../support/webhooks.ts';

const webhookRetrySeconds = [0.05, 0.05];
const relay = useDelivery('file', { webhookRetrySeconds, webhookTimeoutSeconds: 1 });

async function deliveries(filter: object = {}, pageSize = 50, pageToken?: string) {
  return ask(relay.delivery, relay.worker, 'list-deliveries', {
    filter: { ...everything, ...filter },
    pageSize,
    pageToken,
  });
}

/** Waits until the list is as it should be. */
async function listed(isRight: (list: readonly WebhookDelivery[]) => boolean) {
  return vi.waitUntil(
    async () => {
      const { deliveries: list } = await deliveries();
      return isRight(list) ? list : undefined;
    },
    { timeout: 10_000, interval: 50 },
  );
}

const allAre = (status: string, count: number) => (list: readonly WebhookDelivery[]) =>
  list.length === count && list.every((delivery) => delivery.status === status);

const submit = async (count: number) => {
  for (let n = 0; n < count; n += 1) await relay.newTask().submit(`task ${n}`);
};

const change = (subscriptionId: SubscriptionId, isActive: boolean) =>
  ask(relay.delivery, relay.worker, 'change-subscription', { subscriptionId, isActive });

describe('an event that its endpoint does not take', () => {
  it('is given up at once after an answer that no retry can change', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 404;
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    await submit(1);
    const [dead] = await listed(allAre('dead_letter', 1));
    expect(dead).toMatchObject({
      event_type: 'task.created',
      event_id: receiver.received[0]?.eventId,
      attempt_count: 1,
      attempts: [{ number: 1, http_status: 404, outcome: 'terminal_failure' }],
      next_attempt_at: null,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('is given up after its last attempt, and goes out with the same bytes when it is redriven', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 503;
    const { secret } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await submit(1);
    const [dead] = await listed(allAre('dead_letter', 1));
    expect(dead?.attempts.map(({ number, error_code }) => [number, error_code])).toEqual([
      [1, 'http_503'],
      [2, 'http_503'],
      [3, 'http_503'],
    ]);
    if (!dead) throw new Error('none');
    receiver.answer = () => 200;
    const redriven = await ask(relay.delivery, relay.worker, 'redrive-delivery', {
      deliveryId: dead.id,
    });
    expect(redriven).toMatchObject({ status: 'pending', dead_lettered_at: null, attempt_count: 3 });
    await receiver.count(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
    await listed(({ length }) => length === 0);
    await expect(
      ask(relay.delivery, relay.worker, 'get-delivery', { deliveryId: dead.id }),
    ).rejects.toThrow('notFound');
  });

  it('shows in the metrics, with its age', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '100' } });
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    await submit(1);
    await listed(allAre('pending', 1));
    const metrics = await renderMetrics();
    expect(metrics).toMatch(/^relay_webhook_pending [1-9]/m);
    expect(metrics).toMatch(/^relay_webhook_oldest_pending_seconds (?!0$)/m);
    expect(metrics).toMatch(/^relay_webhook_attempts_total\{outcome="retry"\} [1-9]/m);
    expect(metrics).toMatch(/^relay_webhook_first_attempt_seconds_count [1-9]/m);
    expect(metrics).toMatch(/^relay_webhook_undelivered_total\{status="dead_letter"\} [1-9]/m);
  });

  it('is tried later when the endpoint asks for it', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = ({ attempt }) =>
      attempt === 1 ? { status: 429, headers: { 'retry-after': '1' } } : 200;
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    await submit(1);
    await receiver.count(2);
    const [first, second] = receiver.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('is listed newest first, by page and by filter', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 400;
    const { id } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await submit(5);
    const all = await listed(allAre('dead_letter', 5));
    expect(all.map(({ event_id }) => event_id)).toEqual([...receiver.eventIds].toReversed());
    const first = await deliveries({}, 3);
    const second = await deliveries({}, 3, first.next_page_token);
    expect([...first.deliveries, ...second.deliveries]).toEqual(all);
    expect(second.next_page_token).toBe('');
    expect((await deliveries({ status: 'held' })).deliveries).toEqual([]);
    expect((await deliveries({ subscriptionId: id })).deliveries).toHaveLength(5);
    expect((await deliveries({ eventType: 'task.updated' })).deliveries).toEqual([]);
    expect((await deliveries({ createdBefore: all[4]?.created_at })).deliveries).toEqual([]);
    await expect(deliveries({}, 3, 'nonsense')).rejects.toThrow('invalidParams');
  });
});

it('events that are written again while they are listed and counted are there once', async () => {
  const receiver = await WebhookReceiver.start();
  receiver.answer = () => 400;
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  await submit(8);
  const all = await listed(allAre('dead_letter', 8));
  const writing = new AbortController();
  const written = Promise.all(all.map(({ id }) => writeAgainUntil(writing.signal, id)));
  for (let n = 0; n < 10; n += 1) {
    const { matched } = await ask(relay.delivery, relay.worker, 'redrive-deliveries', {
      filter: everything,
      isDryRun: true,
      perSecond: 1,
    });
    expect([matched, await idsByPages()]).toEqual([8, all.map(({ id }) => id)]);
  }
  writing.abort();
  await written;
});

it('events are listed also where newer ones come to fit no longer meanwhile', async () => {
  const receiver = await WebhookReceiver.start();
  receiver.answer = () => 400;
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  await submit(8);
  const all = (await listed(allAre('dead_letter', 8))).map(({ id }) => id);
  const [newer, older] = [all.slice(0, 4), all.slice(4)];
  const writing = new AbortController();
  const written = Promise.all(newer.map((id) => writeAgainUntil(writing.signal, id, 'held')));
  for (let n = 0; n < 10; n += 1) {
    expect(await idsByPages({ status: 'dead_letter' })).toEqual(expect.arrayContaining(older));
  }
  writing.abort();
  await written;
});

it('events are listed by their time', async () => {
  const receiver = await WebhookReceiver.start();
  receiver.answer = () => 400;
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  await submit(1);
  await listed(allAre('dead_letter', 1));
  const [before, after] = ['2026-01-01T00:00:00.000Z', '2126-01-01T00:00:00.000Z'];
  const [since, until] = [{ createdAfter: before }, { createdBefore: after }];
  for (const filter of [since, until])
    expect((await deliveries(filter)).deliveries).toHaveLength(1);
});

/** Those of all pages, each of one delivery. */
async function idsByPages(filter = {}): Promise<WebhookDeliveryId[]> {
  const ids: WebhookDeliveryId[] = [];
  let pageToken: string | undefined;
  do {
    const page = await deliveries(filter, 1, pageToken);
    ids.push(...page.deliveries.map(({ id }) => id));
    pageToken = page.next_page_token;
  } while (pageToken);
  return ids;
}

/**
 * As redrives and attempts would.
 * @param other what it is in every second turn
 */
async function writeAgainUntil(
  signal: AbortSignal,
  id: WebhookDeliveryId,
  other: DeliveryStatus = 'dead_letter',
): Promise<void> {
  const { deliveries: records } = relay.delivery.bus;
  const [subscription, sequence, index] = id.split('_');
  const key = {
    agentId: relay.worker.id,
    subscriptionId: subscriptionIdSchema.parse(subscription),
    sequence: Number(sequence),
    index: Number(index),
  };
  while (!signal.aborted) {
    const stored = await records.read(key);
    if (!stored) throw new Error('the record is gone');
    const attempts = readDeliveryAttempts(stored);
    const before = readDelivery(stored);
    const record = { ...before, status: before.status === other ? 'dead_letter' : other };
    await records.write({ key, record, attempts, body: stored.data }, stored.sequence);
  }
}

describe('an endpoint that is gone or turned off', () => {
  it('is turned off by 410; what comes then is held, and can be redriven in order', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 410;
    const { id } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await submit(1);
    await expect
      .poll(() => ask(relay.delivery, relay.worker, 'get-subscription', { subscriptionId: id }))
      .toMatchObject({ is_active: false });
    const task = relay.newTask();
    await task.submit();
    await task.followUp('more');
    const list = await listed(({ length }) => length === 3);
    expect(list.map(({ status }) => status)).toEqual(['held', 'held', 'dead_letter']);
    expect(receiver.received).toHaveLength(1);
    const redrive = { filter: everything, perSecond: 1_000 };
    const off = await ask(relay.delivery, relay.worker, 'redrive-deliveries', {
      ...redrive,
      isDryRun: false,
    });
    expect(off).toEqual({ matched: 0, redriven: 0 });
    receiver.answer = () => 204;
    await change(id, true);
    const dry = await ask(relay.delivery, relay.worker, 'redrive-deliveries', {
      ...redrive,
      isDryRun: true,
    });
    expect(dry).toEqual({ matched: 3, redriven: 0 });
    expect(receiver.received).toHaveLength(1);
    const done = await ask(relay.delivery, relay.worker, 'redrive-deliveries', {
      ...redrive,
      isDryRun: false,
    });
    expect(done).toEqual({ matched: 3, redriven: 3 });
    await receiver.count(4);
    await listed(({ length }) => length === 0);
    const revisions = receiver.received.filter(({ taskId }) => taskId === task.commands.taskId);
    expect(revisions.map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('holds what waits for its next attempt, too', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '100' } });
    const { id } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    const task = relay.newTask();
    await task.submit();
    await task.followUp('behind it');
    await listed(allAre('pending', 2));
    await change(id, false);
    await listed(allAre('held', 2));
  });

  it('is given held events at the pace that was asked for', async () => {
    const receiver = await WebhookReceiver.start();
    const { id } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await change(id, false);
    await submit(6);
    await listed(allAre('held', 6));
    await change(id, true);
    await ask(relay.delivery, relay.worker, 'redrive-deliveries', {
      filter: { ...everything, status: 'held' },
      isDryRun: false,
      perSecond: 10,
    });
    await receiver.count(6);
    const [first, last] = [receiver.received[0], receiver.received[5]];
    expect((last?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(450);
  });
});
