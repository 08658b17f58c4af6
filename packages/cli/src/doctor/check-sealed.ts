import type { SealedCounts } from '@relay/bus';
import type { SecretKeys } from '@relay/runtime';
import { bad, type Finding, ok, skipped } from './finding.ts';

/** Whether the keys that are here open what is sealed. */
export function checkSealed(sealed: SealedCounts, keys: SecretKeys | undefined): Finding {
  const check = 'sealed secrets';
  const all = total(Object.entries(sealed));
  if (all === 0) return ok(check, 'none');
  const lost = Object.entries(sealed).filter(([id]) => !keys?.some((key) => key.id === id));
  if (lost.length === 0) return ok(check, `${all}, and the keys here open them`);
  const ids = lost.map(([id]) => id).join(', ');
  if (!keys) return skipped(check, `${all}, sealed with ${ids}; there is no key here to compare`);
  return bad(check, 'fault', {
    found: `${total(lost)} of ${all} were sealed with ${ids}, and no key of that id is here`,
    advice:
      'Add that key to RELAY_SECRET_KEY, behind the first. Where it is lost, give webhooks new secrets and headers, and push configs new ones.',
  });
}

function total(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}
