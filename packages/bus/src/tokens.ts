import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many digits as 256 bits need, and 32. */
const secretDigits = 43;
const checksumDigits = 6;

/**
 * A new token: a prefix that secret scanners can know, 256 random bits, and their CRC-32, by which a scanner
 * tells a token from what only looks like one.
 */
export function makeToken(kind: 'agent' | 'owner' | 'admin'): string {
  const bits = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const secret = toDigits(bits, secretDigits);
  return `relay_${kind}_${secret}${toDigits(BigInt(crc32(secret)), checksumDigits)}`;
}

/** What is stored of a token. A fast hash is enough: there is nothing to guess in 256 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

function toDigits(value: bigint, length: number): string {
  const digits: string[] = [];
  for (let rest = value; digits.length < length; rest /= 62n) {
    digits.unshift(base62.charAt(Number(rest % 62n)));
  }
  return digits.join('');
}
