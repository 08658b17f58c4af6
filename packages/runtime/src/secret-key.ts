import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const keyBytes = 32;

/** A key of AES-256. Logged or written as JSON it shows its id only. */
export interface SecretKey {
  /** Derived from the key, so that what it sealed says which key opens it. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The first seals; each opens. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]];

/** A new key, as its text. */
export function createSecretKeyText(): string {
  return randomBytes(keyBytes).toString('base64');
}

export function isSecretKey(text: string): boolean {
  return /^[\w+/-]{43}=?$/.test(text.trim());
}

/** @param list texts of keys with commas between them, each one {@link isSecretKey} */
export function readSecretKeys(list: string): SecretKeys {
  const [first = '', ...others] = list.split(',');
  return [readSecretKey(first), ...others.map(readSecretKey)];
}

function readSecretKey(text: string): SecretKey {
  const bytes = Buffer.from(text, 'base64');
  const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  return { id, key: createSecretKey(bytes) };
}
