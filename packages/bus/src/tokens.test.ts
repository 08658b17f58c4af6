import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { makeToken } from './tokens.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function valueOf(text: string): number {
  return Array.from(text).reduce((value, digit) => value * 62 + digits.indexOf(digit), 0);
}

it.each(['agent', 'owner', 'admin'] as const)('a token of an %s ends with its checksum', (kind) => {
  for (let n = 0; n < 200; n += 1) {
    const token = makeToken(kind);
    const [, secret = '', checksum = ''] =
      /^relay_[a-z]+_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(token) ?? [];
    expect(token).toMatch(new RegExp(`^relay_${kind}_`));
    expect(valueOf(checksum)).toBe(crc32(secret));
  }
});
