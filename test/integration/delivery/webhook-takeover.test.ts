import { describe, expect, it } from 'vitest';
import type { TestTask } from '../../support/delivery.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import {
  takeoverRetrySeconds,
  tellWhileReplicaIsKilled,
  tellWhileReplicasComeAndGo,
  type Way,
} from '../../support/takeover.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook } from '../../support/webhooks.ts';

const messages = 15;

const webhooks: Way = {
  ask: async (delivery, { worker }, url) => {
    await addWebhook(delivery, worker, url);
  },
  write: async (task) => {
    await task.submit();
    for (let n = 1; n < messages; n += 1) await task.followUp(`message ${n}`);
  },
  revisions: Array.from({ length: messages }, (_, n) => n + 1),
};

describe('webhooks that go over to another replica', () => {
  const relay = useDelivery('test', { webhookRetrySeconds: takeoverRetrySeconds });

  it('lose and reorder nothing when replicas come and go in order', () =>
    tellWhileReplicasComeAndGo(relay, webhooks));
});

describe('a replica that stops in order', () => {
  const relay = useDelivery('test');

  it('leaves nothing to be repeated to an endpoint that is ahead of a silent one', async () => {
    const { delivery, worker } = relay;
    const [taking, silent] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    silent.answer = () => null;
    for (const { url } of [taking, silent]) await addWebhook(delivery, worker, url);
    const tasks = Array.from({ length: 3 }, relay.newTask);
    for (const task of tasks) {
      await task.submit();
      await task.followUp('more');
    }
    await taking.count(6);
    await silent.count(3);
    await relay.start();
    await delivery.drain();
    await silent.count(6);
    // Behind whatever would be repeated of its task.
    for (const task of tasks) await task.followUp('and more');
    const isTold = ({ commands: { taskId } }: TestTask) =>
      taking.received.some((each) => each.taskId === taskId && each.revision === 3);
    await taking.until(() => tasks.every(isTold));
    expect(taking.received.map(({ attempt }) => attempt)).toEqual(Array(9).fill(1));
  });
});

const patient = { timeout: 120_000 };

describe('a replica that is killed', () => {
  it('leaves its webhooks to the others, which lose and reorder nothing', patient, () =>
    tellWhileReplicaIsKilled(webhooks),
  );
});
