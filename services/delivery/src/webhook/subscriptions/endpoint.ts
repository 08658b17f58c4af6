import { signWebhook } from '@relay/outbound';
import type { SubscriptionId } from '@relay/protocol';
import { type Sealed, type SealedPlace, type Sealer, Secret } from '@relay/runtime';
import type { SubscriptionRecord } from '../subscription.ts';

/** Where a webhook goes, and the secrets that go with it: in memory only. */
export interface Endpoint {
  readonly url: string;
  /** Static ones, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Newest first, at least one. */
  readonly signingSecrets: readonly string[];
}

export interface WebhookBody {
  /** Of the event: the same on every attempt. */
  readonly id: string;
  /** JSON. */
  readonly body: string | Uint8Array;
}

const signingSecretPlace = (id: SubscriptionId) => ({ record: id, field: 'signing_secret' });
const headerPlace = (id: SubscriptionId, name: string) => ({ record: id, field: `header.${name}` });

/**
 * The endpoint of a subscription at a time.
 * @param at milliseconds since the epoch: secrets that were replaced sign no longer when they expire
 * @throws SealError
 */
export function openEndpoint(
  { id, targetUrl, secrets, headers }: SubscriptionRecord,
  sealer: Sealer,
  at: number,
): Endpoint {
  const current = secrets.filter(({ expiresAt }) => !expiresAt || Date.parse(expiresAt) > at);
  return {
    url: targetUrl,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, sealed]) => [
        name,
        sealer.open(sealed, headerPlace(id, name)).reveal(),
      ]),
    ),
    signingSecrets: current.map(({ sealed }) => openSigningSecret(sealer, id, sealed)),
  };
}

/**
 * The headers of one attempt, signed for this moment (contract §5.3).
 * @param at milliseconds since the epoch
 */
export function signedHeaders(
  { headers, signingSecrets }: Endpoint,
  webhook: WebhookBody,
  at: number,
): Readonly<Record<string, string>> {
  const signed = signWebhook({ timestamp: at / 1_000, ...webhook }, signingSecrets);
  return Object.assign({}, headers, { 'content-type': 'application/json' }, signed);
}

export function sealSigningSecret(sealer: Sealer, id: SubscriptionId, text: string): Sealed {
  return sealer.seal(new Secret(text), signingSecretPlace(id));
}

/** @throws SealError */
export function openSigningSecret(sealer: Sealer, id: SubscriptionId, sealed: Sealed): string {
  return sealer.open(sealed, signingSecretPlace(id)).reveal();
}

/** Bound to their subscription and name: moved elsewhere in the store they cannot be opened. */
export function sealHeaders(
  sealer: Sealer,
  id: SubscriptionId,
  headers: Readonly<Record<string, string>>,
): Record<string, Sealed> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      sealer.seal(new Secret(value), headerPlace(id, name)),
    ]),
  );
}

/** A subscription with each of its secrets as `rewrap` gives it. */
export function rewrapSubscription(
  subscription: SubscriptionRecord,
  rewrap: (sealed: Sealed, place: SealedPlace) => Sealed,
): SubscriptionRecord {
  const { id, secrets, headers } = subscription;
  return {
    ...subscription,
    secrets: secrets.map((secret) => ({
      ...secret,
      sealed: rewrap(secret.sealed, signingSecretPlace(id)),
    })),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, sealed]) => [
        name,
        rewrap(sealed, headerPlace(id, name)),
      ]),
    ),
  };
}
