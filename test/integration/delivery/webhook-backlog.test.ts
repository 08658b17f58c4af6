import { inboxLimits } from '@relay/bus';
import { expect, it } from 'vitest';
import { startTestDelivery } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { rewritingLink } from '../../support/rewriting-link.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook } from '../../support/webhooks.ts';

const settings = { webhookTimeoutSeconds: 60 };
const relay = useDelivery('test', settings);

const [backlog, more] = [12_288, 4_096];
const messagesOf = (events: number) => events / inboxLimits.events;
const stored = '"stream":"DELIVERIES", "seq":';
/** What it means for the writer: not stored. */
const notStored = '"stream":"DELIVERIES", "no.":';

it('thousands that one endpoint has not taken cost the others nothing when a record is late', {
  timeout: 60_000,
}, async () => {
  const { nats, delivery, worker } = relay;
  const [silent, healthy] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  silent.answer = () => null;
  for (const { url } of [silent, healthy]) await addWebhook(delivery, worker, url);
  await fillInbox(delivery.bus, worker.id, messagesOf(backlog));
  await healthy.count(backlog);
  await delivery.close();
  const ofServer = { from: stored, to: notStored, once: true };
  const link = await rewritingLink(nats.url, { ofServer });
  const next = await startTestDelivery(link.url, settings);
  await fillInbox(next.bus, worker.id, messagesOf(more));
  await healthy.count(backlog + more);
  expect(healthy.eventIds).toHaveLength(backlog + more);
  expect(link.rewritten()).toBe(1);
  await next.close();
});
