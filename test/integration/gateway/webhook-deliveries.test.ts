import { randomUUID } from 'node:crypto';
import { deliveriesPageSchema, redriveAnswerSchema, webhookDeliverySchema } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { message } from '../../support/gateway-client.ts';
import { useWebhooks } from '../../support/webhook-fixture.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const notFound = { error: { status: 404, code: 2001 }, success: false };
const jsonOf = ({ text }: { text: string }): unknown => JSON.parse(text);
const tokenOf = (id: string) => Buffer.from(id).toString('base64url');
const deliveryOf = (answer: { text: string }) => webhookDeliverySchema.parse(jsonOf(answer));

describe.each([
  { isSplit: false, where: 'in one process' },
  { isSplit: true, where: 'asked over NATS' },
])('webhook deliveries, $where', ({ isSplit }) => {
  const relay = useWebhooks({ isSplit });
  const list = async (query = '') =>
    deliveriesPageSchema.parse(jsonOf(await relay.webhooks.listDeliveries(query)));

  /** A receiver that refuses events, and what it refused. */
  async function refusedEvents(count: number) {
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => ({ status: 404, body: 'not here' });
    const { id } = await relay.webhooks.created({ target_url: receiver.url });
    for (let n = 0; n < count; n += 1) await relay.sendTask(message(`task ${n}`));
    await expect
      .poll(async () => (await list('?status=dead_letter')).deliveries.length)
      .toBe(count);
    return { receiver, subscriptionId: id };
  }

  it('that were given up are listed newest first, in pages, by what is asked for', async () => {
    const { subscriptionId } = await refusedEvents(3);
    const all = (await list()).deliveries;
    const first = await list('?page_size=2');
    const rest = await list(`?page_size=2&page_token=${first.next_page_token}`);
    expect([...first.deliveries, ...rest.deliveries]).toEqual(all);
    expect(rest.next_page_token).toBe('');
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
    expect((await list(`?subscription_id=${subscriptionId}`)).deliveries).toHaveLength(3);
    for (const query of [
      '?created_after=2026-01-01T00:00:00Z',
      '?created_before=2126-01-01T01:00:00%2B01:00',
    ]) {
      expect([query, (await list(query)).deliveries.length]).toEqual([query, all.length]);
    }
    for (const query of [
      `?subscription_id=${randomUUID()}`,
      '?status=held',
      '?event_type=task.updated',
      '?created_before=2026-01-01T00:00:00.000Z',
      '?created_after=2126-01-01T00:00:00.000Z',
      '?created_after=9999-12-31T23:59:59-14:00',
    ]) {
      expect([query, (await list(query)).deliveries]).toEqual([query, []]);
    }
  });

  it.each([
    '?status=lost',
    '?page_size=0',
    '?page_size=101',
    '?event_type=task.exploded',
    '?created_after=yesterday',
    '?page_token=abc',
    `?page_token=${tokenOf(`${'-'.repeat(36)}_1_0`)}`,
    `?page_token=${tokenOf('00000000-0000-0000-0000-000000000001_1_0')}`,
    '?unknown=1',
  ])('are not listed by %s', async (query) => {
    const answer = await relay.webhooks.listDeliveries(query);
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
  });

  it('are shown with their attempts, and sent again with the same id and body', async () => {
    const { receiver } = await refusedEvents(1);
    const [listed] = (await list()).deliveries;
    if (!listed) throw new Error('nothing is listed');
    expect(deliveryOf(await relay.webhooks.getDelivery(listed.id))).toEqual(listed);
    expect(listed).toMatchObject({
      status: 'dead_letter',
      attempts: [{ number: 1, outcome: 'terminal_failure', http_status: 404, answer: 'not here' }],
    });
    receiver.answer = () => 204;
    const redriven = await relay.webhooks.redrive(listed.id);
    expect([redriven.status, deliveryOf(redriven).status]).toEqual([200, 'pending']);
    await receiver.count(2);
    const [one, other] = receiver.received;
    expect([other?.eventId, other?.body]).toEqual([listed.event_id, one?.body]);
    await expect.poll(async () => (await list()).deliveries).toEqual([]);
    expect((await relay.webhooks.getDelivery(listed.id)).status).toBe(404);
  });

  it('are sent again by a filter, after a dry run that only counts', async () => {
    const { receiver } = await refusedEvents(3);
    receiver.answer = () => 204;
    const redrive = async (body: unknown) =>
      redriveAnswerSchema.parse(jsonOf(await relay.webhooks.redriveAll(body)));
    const none = { status: 'held' };
    expect(await redrive({ dry_run: true })).toEqual({ matched: 3, redriven: 0 });
    expect(await redrive(none)).toEqual({ matched: 0, redriven: 0 });
    expect(await redrive({ event_type: 'task.created', per_second: 1_000 })).toEqual({
      matched: 3,
      redriven: 3,
    });
    await receiver.count(6);
    await expect.poll(async () => (await list()).deliveries).toEqual([]);
  });

  it("answer alike when they are another agent's, unknown, or named by no id", async () => {
    await refusedEvents(1);
    const foreign = (await list()).deliveries[0]?.id ?? '';
    const unknown = `${randomUUID()}_1_0`;
    const almost = [`${'-'.repeat(36)}_1_0`, '00000000-0000-0000-0000-000000000001_1_0'];
    for (const id of [foreign, unknown, 'x', ...almost, `${unknown}0000000000`]) {
      for (const answer of [await relay.others.getDelivery(id), await relay.others.redrive(id)]) {
        expect([answer.status, jsonOf(answer)]).toMatchObject([404, notFound]);
      }
    }
    expect((await relay.webhooks.getDelivery(foreign)).status).toBe(200);
  });
});
