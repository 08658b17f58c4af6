import { RelayError } from '@relay/protocol';
import type { AddressClass } from './address-class.ts';

/** Which rule refused a target. */
export type TargetRule =
  | 'url'
  | 'length'
  | 'scheme'
  | 'userinfo'
  | 'port'
  | 'name'
  | 'own_address'
  | AddressClass;

/**
 * A target that the guard refuses. Its owner reads the message, so it does not tell what a name
 * resolved to: that would let anybody ask for the addresses of an internal network.
 */
export class RefusedTarget extends RelayError {
  override readonly name = 'RefusedTarget';
  readonly rule: TargetRule;

  constructor(rule: TargetRule, message: string) {
    super({ error: 'targetRefused', message });
    this.rule = rule;
  }
}
