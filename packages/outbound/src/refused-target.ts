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
  | 'ownAddress'
  | AddressClass;

/** A target that the guard refuses, said in words that its owner may read. */
export class RefusedTarget extends RelayError {
  override readonly name = 'RefusedTarget';
  readonly rule: TargetRule;
  /** What a name resolved to, for the operator: an owner must not learn of internal addresses. */
  readonly address: string | undefined;

  constructor(rule: TargetRule, message: string, address?: string) {
    super({ error: 'targetRefused', message });
    this.rule = rule;
    this.address = address;
  }
}
