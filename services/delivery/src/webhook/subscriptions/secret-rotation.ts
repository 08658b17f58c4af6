import { type Timestamp, timestampAt } from '@relay/protocol';
import type { Sealed, Sealer } from '@relay/runtime';
import type { SubscriptionRecord } from '../subscription.ts';
import { openSigningSecret, sealSigningSecret } from './endpoint.ts';

const overlapMilliseconds = 24 * 3_600_000;
/** Each signs every request, so one who rotates without end cannot make the header grow. */
const maximumSecrets = 5;

interface Rotation {
  readonly signingSecret: string;
  readonly at: Timestamp;
}

/** The subscription with a new secret; those before sign for 24 hours more. The same secret again changes nothing. */
export function rotateSecret(
  subscription: SubscriptionRecord,
  { signingSecret, at }: Rotation,
  sealer: Sealer,
): SubscriptionRecord {
  const { id, secrets } = subscription;
  const open = (sealed: Sealed) => openSigningSecret(sealer, id, sealed);
  const kept = secrets.filter(({ sealed }) => canOpen(() => open(sealed)));
  const [newest] = kept;
  if (newest && open(newest.sealed) === signingSecret) return subscription;
  const now = Date.parse(at);
  const replaced = kept
    .map(({ sealed, expiresAt }) => ({
      sealed,
      expiresAt: expiresAt ?? timestampAt(now + overlapMilliseconds),
    }))
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now);
  const sealed = sealSigningSecret(sealer, id, signingSecret);
  return {
    ...subscription,
    secrets: [{ sealed, expiresAt: null }, ...replaced].slice(0, maximumSecrets),
    updatedAt: at,
  };
}

/** What was sealed with a key that was lost signs nothing; a rotation is the way out of that. */
function canOpen(open: () => string): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
