import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Secret } from './secret.ts';
import type { SecretKey, SecretKeys } from './secret-key.ts';

const algorithm = 'aes-256-gcm';
/** What GCM takes without hashing; random ones are safe for 2^32 secrets of one key (NIST SP 800-38D §8.3). */
const nonceBytes = 12;
const tagBytes = 16;

/** `v1.<key id>.<nonce>.<ciphertext and tag>`, in base64url. */
const sealedPattern = /^v1\.([\w-]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/** A secret as it stands in a record. */
export const sealedSchema = z.string().regex(sealedPattern).brand<'Sealed'>();
export type Sealed = z.infer<typeof sealedSchema>;

/** The {@link SecretKey.id} of the key that sealed it. */
export function sealedWith(sealed: Sealed): string {
  return sealedPattern.exec(sealed)?.[1] ?? '';
}

/** Where a sealed secret stands; moved to another place it cannot be opened. */
export interface SealedPlace {
  /** The key of its record. */
  readonly record: string;
  readonly field: string;
}

/** `unknownKey`: none of the keys sealed it. `broken`: it was changed, or belongs to another place. */
export class SealError extends Error {
  override readonly name = 'SealError';
  readonly reason: 'unknownKey' | 'broken';

  constructor(reason: SealError['reason'], { record, field }: SealedPlace) {
    const why = {
      unknownKey: 'was sealed with a key that is not in RELAY_SECRET_KEY',
      broken: 'was changed, or moved from another place',
    }[reason];
    super(`${field} of ${record} ${why}`);
    this.reason = reason;
  }
}

export interface Sealer {
  seal(secret: Secret, place: SealedPlace): Sealed;
  /** @throws SealError */
  open(sealed: Sealed, place: SealedPlace): Secret;
  /** Seals anew with the first key; what it sealed stays as it is. @throws SealError */
  rewrap(sealed: Sealed, place: SealedPlace): Sealed;
}

/** Keeps secrets that must be read again, such as those that sign webhooks, by AES-256-GCM. */
export function createSealer(keys: SecretKeys): Sealer {
  const [first] = keys;
  const seal = (secret: Secret, place: SealedPlace) => encrypt(secret, first, place);
  const open = (sealed: Sealed, place: SealedPlace) => decrypt(sealed, keys, place);
  const rewrap = (sealed: Sealed, place: SealedPlace) =>
    sealed.startsWith(`v1.${first.id}.`) ? sealed : seal(open(sealed, place), place);
  return { seal, open, rewrap };
}

function encrypt(secret: Secret, { id, key }: SecretKey, place: SealedPlace): Sealed {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(id, place));
  const encrypted = [cipher.update(secret.reveal(), 'utf8'), cipher.final(), cipher.getAuthTag()];
  const parts = [nonce, Buffer.concat(encrypted)].map((bytes) => bytes.toString('base64url'));
  return sealedSchema.parse(['v1', id, ...parts].join('.'));
}

function decrypt(sealed: Sealed, keys: SecretKeys, place: SealedPlace): Secret {
  const [, id = '', nonce = '', encrypted = ''] = sealedPattern.exec(sealed) ?? [];
  const known = keys.find((key) => key.id === id);
  if (known === undefined) throw new SealError('unknownKey', place);
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv(algorithm, known.key, Buffer.from(nonce, 'base64url'), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(boundTo(id, place)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = [decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()];
    return new Secret(Buffer.concat(text).toString('utf8'));
  } catch {
    throw new SealError('broken', place);
  }
}

/** As JSON, so that no two places have the same text. */
function boundTo(keyId: string, { record, field }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify(['v1', keyId, record, field]));
}
