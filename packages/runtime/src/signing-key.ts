import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Private keys; shown nowhere, since a key object holds nothing that can be logged. The first signs. */
export type SigningKeys = readonly [KeyObject, ...KeyObject[]];

/** @param list texts of keys with commas between them; undefined where one is none that can sign */
export function readSigningKeys(list: string): SigningKeys | undefined {
  const keys = list.split(',').map(readSigningKey);
  const [first, ...others] = keys.filter((key) => key !== undefined);
  return first && others.length + 1 === keys.length ? [first, ...others] : undefined;
}

function readSigningKey(text: string): KeyObject | undefined {
  try {
    const der = Buffer.from(text.trim(), 'base64');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return canSign(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

function canSign({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ed25519') return true;
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
}
