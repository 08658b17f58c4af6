import { type DeliveryToWrite, readDelivery } from '@relay/bus';
import { type DeliveryAttempt, subscriptionIdSchema, timestampAt } from '@relay/protocol';
import { expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, ask, everything } from '../../support/webhooks.ts';

const relay = useDelivery('test');

const count = 10_000;
const writtenAtOnce = 200;
const askedAtOnce = 6;
/** As large as heads get. */
const attempts = Array.from(
  { length: 20 },
  (_, index): DeliveryAttempt => ({
    number: index + 1,
    started_at: timestampAt(0),
    finished_at: timestampAt(0),
    outcome: 'retryable_failure',
    http_status: 503,
    error_code: 'http_503',
    error_message: null,
    answer: 'x'.repeat(512),
  }),
);

async function giveUpMany(): Promise<void> {
  const receiver = await WebhookReceiver.start();
  receiver.answer = () => 400;
  await addWebhook(relay.delivery, relay.worker, receiver.url);
  await relay.newTask().submit();
  const { bus } = relay.delivery;
  const list = () =>
    ask(relay.delivery, relay.worker, 'list-deliveries', {
      filter: everything,
      pageSize: 1,
      pageToken: undefined,
    });
  await expect.poll(async () => (await list()).deliveries[0]?.status).toBe('dead_letter');
  const [id = '', sequence, index] = (await list()).deliveries[0]?.id.split('_') ?? [];
  const key = {
    agentId: relay.worker.id,
    subscriptionId: subscriptionIdSchema.parse(id),
    sequence: Number(sequence),
    index: Number(index),
  };
  const message = await bus.deliveries.read(key);
  if (!message) throw new Error('There is no dead letter');
  const record = readDelivery(message);
  const dead = (at: number): DeliveryToWrite => ({
    key: { ...key, sequence: key.sequence + at },
    record,
    attempts,
    body: message.data,
  });
  for (let at = 1; at < count; at += writtenAtOnce) {
    const some = Array.from({ length: Math.min(writtenAtOnce, count - at) }, (_, n) =>
      dead(at + n),
    );
    await Promise.all(some.map((delivery) => bus.deliveries.write(delivery, 0)));
  }
}

it('many dead letters are read by several at once, who do not cut the relay off from NATS', {
  timeout: 120_000,
}, async () => {
  await giveUpMany();
  let cuts = 0;
  const forget = relay.delivery.bus.onReconnect(() => {
    cuts += 1;
  });
  const answers = await Promise.all(
    Array.from({ length: askedAtOnce }, () =>
      ask(relay.delivery, relay.worker, 'redrive-deliveries', {
        filter: everything,
        isDryRun: true,
        perSecond: 10,
      }),
    ),
  );
  forget();
  expect(answers).toEqual(answers.map(() => ({ matched: count, redriven: 0 })));
  expect(cuts).toBe(0);
});
