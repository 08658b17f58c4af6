import { createPublicKey, type KeyObject } from 'node:crypto';
import type { AgentCard, CardSignature, Jwk } from '@relay/protocol';
import type { Config } from '@relay/runtime';
import { calculateJwkThumbprint, exportJWK, FlattenedSign } from 'jose';
import { signedTexts } from './signed-texts.ts';

/** Where the public keys are published. */
export const keySetPath = '/.well-known/jwks.json';

interface CardKey {
  readonly privateKey: KeyObject;
  readonly publicJwk: Jwk;
}

/** Signs agent cards (A2A 1.0 §8.4) where there is a key. */
export class CardSigner {
  readonly #keys: readonly CardKey[];
  readonly #keySetUrl: string;

  private constructor(keys: readonly CardKey[], keySetUrl: string) {
    this.#keys = keys;
    this.#keySetUrl = keySetUrl;
  }

  static async create({ cardSigningKey, publicUrl = '' }: Config): Promise<CardSigner> {
    const keys = await Promise.all((cardSigningKey ?? []).map(toCardKey));
    return new CardSigner(keys, publicUrl + keySetPath);
  }

  /** Of the key that signs; undefined where there is none. */
  get keyId(): string | undefined {
    return this.#keys[0]?.publicJwk.kid;
  }

  /** Of every key; those that sign no more verify what they have signed. */
  publicKeys(): readonly Jwk[] {
    return this.#keys.map(({ publicJwk }) => publicJwk);
  }

  /**
   * A card with its signatures; as it is where there is no key.
   * @param written the card as a version writes it
   */
  async sign(card: AgentCard, written: object): Promise<object> {
    const [key] = this.#keys;
    if (!key) return written;
    const texts = signedTexts(card, written);
    const signatures = await Promise.all(texts.map((text) => this.#signText(key, text)));
    return { ...written, signatures };
  }

  async #signText({ privateKey, publicJwk }: CardKey, text: string): Promise<CardSignature> {
    const { alg, kid } = publicJwk;
    const { protected: header = '', signature } = await new FlattenedSign(Buffer.from(text))
      .setProtectedHeader({ alg, typ: 'JOSE', kid, jku: this.#keySetUrl })
      .sign(privateKey);
    return { protected: header, signature };
  }
}

/** Its id is the thumbprint (RFC 7638), so every gateway gives it the same one. */
async function toCardKey(privateKey: KeyObject): Promise<CardKey> {
  const { kty, crv, x, y } = await exportJWK(createPublicKey(privateKey));
  if (!(kty && crv && x)) throw new Error('The key is of no curve');
  const coordinates = { kty, crv, x, ...(y === undefined ? {} : { y }) };
  const kid = await calculateJwkThumbprint(coordinates);
  const alg = kty === 'EC' ? 'ES256' : 'EdDSA';
  return { privateKey, publicJwk: { ...coordinates, kid, alg, use: 'sig' } };
}
