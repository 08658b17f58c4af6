import { randomUUID } from 'node:crypto';
import { connectBackup, feedKey } from '@relay/bus';
import { subscriptionIdSchema, taskIdSchema, timestampAt } from '@relay/protocol';
import { createLogger, createSealer, createSecretKeyText, readSecretKeys } from '@relay/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { feedRecordSchema } from '../../../services/delivery/src/feed/feed-record.ts';
import {
  type PushConfigEntry,
  pushConfigRecordSchema,
} from '../../../services/delivery/src/push/push-config-record.ts';
import { pushHeaders, sealPushSecrets } from '../../../services/delivery/src/push/push-secrets.ts';
import { secretHandlers } from '../../../services/delivery/src/secrets/secret-handlers.ts';
import { openEndpoint } from '../../../services/delivery/src/webhook/subscriptions/endpoint.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { testSealer, testSecretKey } from '../../support/sealer.ts';
import { testConfig } from '../../support/task-manager.ts';
import { addWebhook } from '../../support/webhooks.ts';

const relay = useDelivery('test');
const newKey = createSecretKeyText();
const taskId = taskIdSchema.parse(randomUUID());

const sealerOf = (...keys: string[]) => createSealer(readSecretKeys(keys.join()));
const logger = createLogger(testConfig, 'delivery');

function rewrap(keys: readonly string[], pageToken?: string, within = 20_000) {
  const { bus } = relay.delivery;
  const handlers = secretHandlers({ bus, sealer: sealerOf(...keys), logger });
  const command = { type: 'rewrap-secrets', at: timestampAt(0), pageToken } as const;
  return handlers['rewrap-secrets'](command, Date.now() + within);
}

const pushRecords = () => relay.delivery.bus.bucket('registry', 'push.', pushConfigRecordSchema);

const idOf = (key: string) => readSecretKeys(key)[0].id;

async function addPushConfig(): Promise<void> {
  const authentication = { scheme: 'Bearer', credentials: 'canary' };
  const input = { url: 'https://receiver.example/', token: 'canary', authentication };
  const entry: PushConfigEntry = {
    number: 0,
    id: 'c',
    endpointId: subscriptionIdSchema.parse(randomUUID()),
    form: { version: '1.0' },
    url: input.url,
    scheme: 'Bearer',
    ...sealPushSecrets(testSealer, { taskId, number: 0 }, input),
    events: [],
    start: { afterRevision: 0 },
    updatedAt: timestampAt(0),
  };
  const requesterId = relay.planner.id;
  await pushRecords().create(taskId, { requesterId, nextNumber: 1, configs: [entry] });
}

it('secrets of webhooks and push configs are sealed anew, once, and the old key is not needed then', async () => {
  const { delivery, worker } = relay;
  const headers = { 'x-key': 'canary' };
  await addWebhook(delivery, worker, 'http://127.0.0.1:49151/', { headers });
  await addPushConfig();
  const all = { examined: 4, failed: 0, next_page_token: '' };
  expect(await rewrap([testSecretKey])).toEqual({ ...all, rewrapped: 0 });
  const backup = await connectBackup({ servers: relay.nats.url, replicas: 1 });
  onTestFinished(() => backup.close());
  expect(await backup.countSealed()).toEqual({ [idOf(testSecretKey)]: 4 });
  expect(await rewrap([createSecretKeyText()])).toMatchObject({ rewrapped: 0, failed: 4 });
  await expect(rewrap([newKey, testSecretKey], undefined, 0)).rejects.toMatchObject({
    refusal: { error: 'unavailable' },
  });
  const rest = await rewrap([newKey, testSecretKey], `webhooks:${feedKey(worker.id)}`);
  expect(rest).toMatchObject({ examined: 2, rewrapped: 2 });
  expect(await backup.countSealed()).toEqual({ [idOf(testSecretKey)]: 2, [idOf(newKey)]: 2 });
  expect(await rewrap([newKey, testSecretKey])).toEqual({ ...all, rewrapped: 2 });
  expect(await rewrap([newKey])).toEqual({ ...all, rewrapped: 0 });

  const feeds = delivery.bus.bucket('feeds', '', feedRecordSchema);
  const feed = await feeds.get(feedKey(worker.id));
  const subscription = feed?.value.subscriptions[0];
  const config = (await pushRecords().get(taskId))?.value.configs[0];
  if (!subscription || !config) throw new Error('something is gone');
  const opened = openEndpoint(subscription, sealerOf(newKey), Date.now());
  expect([opened.headers, opened.signingSecrets.length]).toEqual([headers, 1]);
  expect(pushHeaders(sealerOf(newKey), taskId, config).headers).toEqual({
    authorization: 'Bearer canary',
    'x-a2a-notification-token': 'canary',
  });
});

it.each(['x', 'others:a', ''])('there is no page %j', async (token) => {
  await expect(rewrap([testSecretKey], token)).rejects.toMatchObject({
    refusal: { error: 'invalidParams' },
  });
});
