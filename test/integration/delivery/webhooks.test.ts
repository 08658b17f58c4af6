import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook } from '../../support/webhooks.ts';

/** Enough for all cases, and nobody waits for long. */
const webhookRetrySeconds = [0.05, 0.1, 0.2, 0.2, 0.2, 0.2];
const relay = useDelivery('file', { webhookRetrySeconds, webhookTimeoutSeconds: 0.4 });

describe('a webhook', () => {
  it('brings each event once, signed over its bytes, with the id of the event and the revision', async () => {
    const receiver = await WebhookReceiver.start();
    const headers = { 'x-api-key': 'open sesame' };
    const { secret } = await addWebhook(relay.delivery, relay.worker, receiver.url, { headers });
    const task = relay.newTask();
    await task.submit('translate this');
    await task.followUp('and this');
    await receiver.count(2);
    expect(receiver.received.map(({ revision }) => revision)).toEqual([1, 2]);
    for (const webhook of receiver.received) {
      const event = new Webhook(secret).verify(webhook.body, webhook.headers);
      expect(event).toMatchObject({ event_id: webhook.eventId, agent_id: relay.worker.id });
      expect(webhook.headers).toMatchObject({ 'content-type': 'application/json', ...headers });
    }
  });

  it('brings what was stored before it was there, once the agent has switched to it', async () => {
    const receiver = await WebhookReceiver.start();
    for (let n = 0; n < 5; n += 1) await relay.newTask().submit();
    await addWebhook(relay.delivery, relay.worker, receiver.url);
    await receiver.count(5);
    expect(receiver.eventIds).toHaveLength(5);
  });

  it('is tried again on schedule after 500, 500, 500 and silence, and once it is taken no more', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answer = ({ attempt }) => (attempt <= 3 ? 500 : attempt === 4 ? null : 200);
    const { secret } = await addWebhook(relay.delivery, relay.worker, receiver.url);
    await relay.newTask().submit();
    await receiver.count(5);
    const [first] = receiver.received;
    const times = receiver.received.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    const shortest = [40, 80, 160, 400 + 160];
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual((shortest[index] ?? 0) - 2);
    }
    for (const { body, headers, eventId } of receiver.received) {
      expect(body).toBe(first?.body);
      expect(eventId).toBe(first?.eventId);
      new Webhook(secret).verify(body, headers);
    }
  });
});
