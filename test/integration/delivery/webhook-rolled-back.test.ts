import { cp, rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { registerAgent, startTestDelivery } from '../../support/delivery.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { startNats } from '../../support/servers.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook } from '../../support/webhooks.ts';

it('webhooks go on in a store that was rolled back', { timeout: 60_000 }, async () => {
  const [store, copy] = [await createTemporaryDirectory(), await createTemporaryDirectory()];
  const nats = await startNats({ storeDir: store });
  const delivery = await startTestDelivery(nats.url);
  onTestFinished(async () => {
    await delivery.close();
    await nats.stop();
    for (const directory of [store, copy]) await rm(directory, { recursive: true, force: true });
  });
  const worker = await registerAgent(delivery.registry);
  const receiver = await WebhookReceiver.start();
  await addWebhook(delivery, worker, receiver.url);
  const append = async (count: number) => {
    const eventIds = await fillInbox(delivery.bus, worker.id, count, 1);
    await receiver.until(() => eventIds.every((eventId) => receiver.eventIds.includes(eventId)));
  };
  await append(1);
  await nats.kill();
  await cp(store, copy, { recursive: true });
  await nats.restart();
  await expect.poll(() => delivery.isReady()).toBe(true);
  await append(5);
  await nats.kill();
  await rm(store, { recursive: true });
  await cp(copy, store, { recursive: true });
  await nats.restart();
  await expect.poll(() => delivery.isReady()).toBe(true);
  await append(3);
  expect(receiver.eventIds).toHaveLength(9);
});
