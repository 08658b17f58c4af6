import { randomUUID } from 'node:crypto';
import { createSigningSecret } from '@relay/outbound';
import { subscriptionIdSchema, timestampAt } from '@relay/protocol';
import { createSealer, createSecretKeyText, readSecretKeys } from '@relay/runtime';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { type SubscriptionRecord, subscriptionRecordSchema } from '../subscription.ts';
import { openEndpoint, sealHeaders, sealSigningSecret, signedHeaders } from './endpoint.ts';

const sealer = createSealer(readSecretKeys(createSecretKeyText()));
const now = Date.now();
const [secret, previous] = [createSigningSecret(), createSigningSecret()];
const body = JSON.stringify({ a: 1 });

function subscription(): SubscriptionRecord {
  const id = subscriptionIdSchema.parse(randomUUID());
  return subscriptionRecordSchema.parse({
    id,
    targetUrl: 'https://receiver.example/',
    subscribedEvents: ['task.created'],
    isActive: true,
    secrets: [
      { sealed: sealSigningSecret(sealer, id, secret), expiresAt: null },
      { sealed: sealSigningSecret(sealer, id, previous), expiresAt: timestampAt(now + 60_000) },
    ],
    headers: sealHeaders(sealer, id, { 'x-key': 'v' }),
    createdAt: timestampAt(now),
    updatedAt: timestampAt(now),
  });
}

it('signs with each secret that has not expired, and sends the static headers', () => {
  const endpoint = openEndpoint(subscription(), sealer, now);
  const headers = signedHeaders(endpoint, { id: 'e', body }, now);
  expect(headers).toMatchObject({ 'x-key': 'v', 'content-type': 'application/json' });
  for (const known of [secret, previous]) {
    expect(new Webhook(known).verify(body, headers)).toEqual({ a: 1 });
  }
});

it('a replaced secret signs no longer when its time is over', () => {
  const endpoint = openEndpoint(subscription(), sealer, now + 60_000);
  expect(endpoint.signingSecrets).toEqual([secret]);
});

it('a secret that was moved to another subscription or header is not opened', () => {
  const [one, other] = [subscription(), subscription()];
  expect(() => openEndpoint({ ...one, secrets: other.secrets }, sealer, now)).toThrow('moved');
  expect(() => openEndpoint({ ...one, headers: other.headers }, sealer, now)).toThrow('moved');
  const renamed = { 'x-other': one.headers['x-key'] ?? '' };
  const record = subscriptionRecordSchema.parse({ ...one, headers: renamed });
  expect(() => openEndpoint(record, sealer, now)).toThrow('moved');
});
