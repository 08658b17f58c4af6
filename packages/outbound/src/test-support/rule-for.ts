import assert from 'node:assert/strict';
import { createOutbound, type Listener, RefusedTarget, type ResolveAddresses } from '../index.ts';

export const publicOnly = { allowedNetworks: [], ownListeners: [] };

export const resolveTo =
  (...addresses: string[]): ResolveAddresses =>
  () =>
    Promise.resolve(addresses);

interface Setting {
  readonly allowedNetworks?: readonly string[];
  readonly ownListeners?: readonly Listener[];
  readonly resolve?: ResolveAddresses;
}

/** The rule that refuses a URL, or `allowed`; a post to it must end the same way. */
export async function ruleFor(url: string, setting: Setting = {}): Promise<string> {
  const outbound = createOutbound({ ...publicOnly, resolve: resolveTo('8.8.8.8'), ...setting });
  try {
    await outbound.checkTarget(url);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof RefusedTarget)) throw error;
    const limits = { milliseconds: 1_000, answerBytes: 0 };
    const { kind, ...outcome } = await outbound.post({ url, headers: {}, body: '', limits });
    assert(kind === 'rejected' && 'failure' in outcome);
    assert.deepEqual(outcome.failure, { code: 'refused', rule: error.rule, detail: error.message });
    return error.rule;
  }
}
