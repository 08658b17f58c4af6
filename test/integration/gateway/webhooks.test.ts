import { randomUUID } from 'node:crypto';
import { newSubscriptionSchema, subscriptionSchema } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useWebhooks } from '../../support/webhook-fixture.ts';

const strict = subscriptionSchema.strict();
const strictNew = newSubscriptionSchema.strict();
const strictList = z.strictObject({ subscriptions: z.array(strict) });
const jsonOf = ({ text }: { text: string }): unknown => JSON.parse(text);

const notFound = { error: { status: 404, code: 2001 }, success: false };
const invalid = { error: { status: 400, code: 1005 }, success: false };

describe.each([
  { isSplit: false, where: 'in one process' },
  { isSplit: true, where: 'asked over NATS' },
])('webhook subscriptions, $where', ({ isSplit }) => {
  const relay = useWebhooks({ isSplit });

  it('are made, with a signing secret that is shown once', async () => {
    const answer = await relay.webhooks.create({
      subscribed_events: ['task.updated', 'task.created', 'task.updated'],
      headers: { 'X-Api-Key': 'value-of-the-key' },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { signing_secret, ...subscription } = strictNew.parse(jsonOf(answer));
    expect(signing_secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(subscription).toMatchObject({
      target_url: 'http://127.0.0.1:49151/hook',
      subscribed_events: ['task.updated', 'task.created'],
      is_active: true,
      header_names: ['x-api-key'],
    });
    expect(subscription.updated_at).toBe(subscription.created_at);
    const [one, all] = [await relay.webhooks.get(subscription.id), await relay.webhooks.list()];
    expect(strict.parse(jsonOf(one))).toEqual(subscription);
    expect(strictList.parse(jsonOf(all))).toEqual({ subscriptions: [subscription] });
  });

  it.each([
    { body: { subscribed_events: [] }, why: 'no events' },
    { body: { subscribed_events: ['task.created', 'task.exploded'] }, why: 'an unknown event' },
    { body: { subscribed_events: ['*'] }, why: 'a wildcard' },
    { body: { target_url: '' }, why: 'no target' },
    { body: { target_url: undefined }, why: 'a missing target' },
    { body: { headers: { host: 'x' } }, why: 'a header that is not to be set' },
    { body: { headers: { 'x-a': 'a\r\nb: c' } }, why: 'a value that would be two headers' },
    { body: { is_active: true }, why: 'a member that there is not' },
  ])('are refused with $why, and nothing is saved', async ({ body }) => {
    const answer = await relay.webhooks.create(body);
    expect([answer.status, jsonOf(answer)]).toMatchObject([400, invalid]);
    expect(jsonOf(await relay.webhooks.list())).toEqual({ subscriptions: [] });
  });

  it('are changed by what is named', async () => {
    const { signing_secret: _, ...made } = await relay.webhooks.created({
      headers: { 'x-a': '1' },
    });
    const changes = [
      { subscribed_events: ['task.canceled', 'task.message'] },
      { is_active: false },
      { target_url: 'http://127.0.0.1:49151/other#part' },
      { headers: { 'x-b': '2' } },
      { headers: {}, is_active: true },
    ];
    const answers = [];
    for (const change of changes) answers.push(await relay.webhooks.change(made.id, change));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [, , , fourth, last] = answers.map((answer) => strict.parse(jsonOf(answer)));
    expect(fourth?.header_names).toEqual(['x-b']);
    expect(last).toEqual({
      ...made,
      subscribed_events: ['task.canceled', 'task.message'],
      target_url: 'http://127.0.0.1:49151/other',
      header_names: [],
      updated_at: last?.updated_at,
    });
    expect(jsonOf(await relay.webhooks.get(made.id))).toEqual(last);
  });

  it.each([{}, { is_active: 'no' }, { subscribed_events: [] }, { id: randomUUID() }])(
    'are not changed by %j',
    async (change) => {
      const { id } = await relay.webhooks.created();
      const before = jsonOf(await relay.webhooks.get(id));
      const answer = await relay.webhooks.change(id, change);
      expect([answer.status, jsonOf(answer)]).toMatchObject([400, invalid]);
      expect(jsonOf(await relay.webhooks.get(id))).toEqual(before);
    },
  );

  it('are deleted, and then are not there', async () => {
    const [one, other] = [await relay.webhooks.created(), await relay.webhooks.created()];
    const deleted = await relay.webhooks.delete(one.id);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await relay.webhooks.delete(one.id)).status).toBe(404);
    expect(jsonOf(await relay.webhooks.list())).toMatchObject({
      subscriptions: [{ id: other.id }],
    });
  });

  it("answer alike when they are another agent's, unknown, or named by no id", async () => {
    const { id: foreign } = await relay.others.created();
    const calls = [
      (id: string) => relay.webhooks.get(id),
      (id: string) => relay.webhooks.change(id, { is_active: false }),
      (id: string) => relay.webhooks.delete(id),
      (id: string) => relay.webhooks.rotate(id),
      (id: string) => relay.webhooks.test(id),
    ];
    for (const call of calls) {
      const answers = [await call(foreign), await call(randomUUID()), await call('x')];
      for (const answer of answers) {
        expect([answer.status, jsonOf(answer)]).toMatchObject([404, notFound]);
      }
      const bodies = answers.map(({ text }) => text.replace(/"trace_id":"\w+"/, ''));
      expect(new Set(bodies).size).toBe(1);
    }
    expect((await relay.others.get(foreign)).status).toBe(200);
  });

  it('are at most 50 for an agent', async () => {
    const made = Array.from({ length: 50 }, () => relay.webhooks.create());
    expect(new Set((await Promise.all(made)).map(({ status }) => status))).toEqual(new Set([201]));
    const answer = await relay.webhooks.create();
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('at most 50');
  });
});
