import { describe, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import {
  takeoverRetrySeconds,
  tellWhileReplicaIsKilled,
  tellWhileReplicasComeAndGo,
  type Way,
} from '../../support/takeover.ts';
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

const patient = { timeout: 120_000 };

describe('a replica that is killed', () => {
  it('leaves its webhooks to the others, which lose and reorder nothing', patient, () =>
    tellWhileReplicaIsKilled(webhooks),
  );
});
