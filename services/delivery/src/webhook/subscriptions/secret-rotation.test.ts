import { randomUUID } from 'node:crypto';
import { createSigningSecret } from '@relay/outbound';
import { subscriptionIdSchema, timestampAt } from '@relay/protocol';
import { createSealer, createSecretKeyText, readSecretKeys } from '@relay/runtime';
import { expect, it } from 'vitest';
import type { SubscriptionRecord } from '../subscription.ts';
import { openEndpoint, sealSigningSecret } from './endpoint.ts';
import { rotateSecret } from './secret-rotation.ts';

const hour = 3_600_000;
const sealer = createSealer(readSecretKeys(createSecretKeyText()));
const first = createSigningSecret();

function subscription(by = sealer): SubscriptionRecord {
  const id = subscriptionIdSchema.parse(randomUUID());
  return {
    id,
    targetUrl: 'https://receiver.example/',
    subscribedEvents: ['task.created'],
    isActive: true,
    secrets: [{ sealed: sealSigningSecret(by, id, first), expiresAt: null }],
    headers: {},
    createdAt: timestampAt(0),
    updatedAt: timestampAt(0),
  };
}

const rotate = (record: SubscriptionRecord, signingSecret: string, at: number) =>
  rotateSecret(record, { signingSecret, at: timestampAt(at) }, sealer);
const secretsAt = (record: SubscriptionRecord, at: number) =>
  openEndpoint(record, sealer, at).signingSecrets;

it('each secret signs for 24 hours after it was replaced, however often that is done', () => {
  const [second, third] = [createSigningSecret(), createSigningSecret()];
  const record = rotate(rotate(subscription(), second, 0), third, 20 * hour);
  expect(secretsAt(record, 20 * hour)).toEqual([third, second, first]);
  expect(secretsAt(record, 24 * hour)).toEqual([third, second]);
  expect(secretsAt(record, 44 * hour)).toEqual([third]);
});

it('the same rotation again changes nothing', () => {
  const second = createSigningSecret();
  const once = rotate(subscription(), second, 0);
  expect(rotate(once, second, 1)).toEqual(once);
});

it('what is long over is forgotten, and no more than five sign', () => {
  let record = subscription();
  for (let n = 0; n < 9; n += 1) record = rotate(record, createSigningSecret(), n);
  expect(secretsAt(record, 9)).toHaveLength(5);
  expect(rotate(record, createSigningSecret(), 48 * hour).secrets).toHaveLength(2);
});

it('a secret whose key was lost is left behind', () => {
  const lost = createSealer(readSecretKeys(createSecretKeyText()));
  const second = createSigningSecret();
  expect(secretsAt(rotate(subscription(lost), second, 0), 0)).toEqual([second]);
});
