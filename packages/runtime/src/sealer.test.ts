import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSealer,
  createSecretKeyText,
  readSecretKeys,
  SealError,
  type SealedPlace,
  Secret,
  sealedSchema,
} from './index.ts';

const [oldKey, newKey] = [createSecretKeyText(), createSecretKeyText()];
const sealerOf = (...keys: string[]) => createSealer(readSecretKeys(keys.join(',')));
const sealer = sealerOf(oldKey);

const place = { record: 'subscription.7', field: 'signing_secret' };
const sealed = sealer.seal(new Secret('whsec_abc'), place);

const reasonOf = (open: () => unknown) => {
  try {
    return open();
  } catch (error) {
    return error instanceof SealError ? error.reason : error;
  }
};

describe('a sealed secret', () => {
  it('is opened to what it was, whatever text it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.string(),
        (text, record, field) => {
          const place = { record, field };
          const opened = sealer.open(sealer.seal(new Secret(text), place), place);
          expect(opened.reveal()).toBe(text);
        },
      ),
    );
  });

  it('shows nothing of it, and is another text each time', () => {
    expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(Buffer.from(sealed).includes('whsec_abc')).toBe(false);
    expect(sealer.seal(new Secret('whsec_abc'), place)).not.toBe(sealed);
  });

  it('is opened in its own place only', () => {
    const elsewhere: SealedPlace[] = [
      { ...place, record: 'subscription.8' },
      { ...place, field: 'other' },
      { record: place.record + place.field, field: '' },
      { record: 'subscription', field: '7.signing_secret' },
    ];
    for (const other of elsewhere) {
      expect(reasonOf(() => sealer.open(sealed, other))).toBe('broken');
    }
  });

  it('is not opened when any character of it was changed', () => {
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'z', '0', '_'), (at, letter) => {
        const text = sealed.slice(0, at) + letter + sealed.slice(at + 1);
        fc.pre(bytesOf(text) !== bytesOf(sealed));
        const read = sealedSchema.safeParse(text);
        if (!read.success) return;
        expect(reasonOf(() => sealer.open(read.data, place))).toMatch(/^(broken|unknownKey)$/);
      }),
    );
  });

  it.each(['', 'v1', 'v2.a.b.c', sealed.slice(0, 40), `${sealed}=`, ` ${sealed}`, 'whsec_abc'])(
    'is never %j',
    (text) => {
      expect(sealedSchema.safeParse(text).success).toBe(false);
    },
  );
});

describe('keys', () => {
  it('all open, and the first one seals', () => {
    const rotating = sealerOf(newKey, oldKey);
    expect(rotating.open(sealed, place).reveal()).toBe('whsec_abc');
    const fresh = rotating.seal(new Secret('x'), place);
    expect(sealerOf(newKey).open(fresh, place).reveal()).toBe('x');
    expect(reasonOf(() => sealer.open(fresh, place))).toBe('unknownKey');
  });

  it('are replaced by sealing anew, after which the old one may go', () => {
    const rotating = sealerOf(newKey, oldKey);
    const renewed = rotating.rewrap(sealed, place);
    expect(sealerOf(newKey).open(renewed, place).reveal()).toBe('whsec_abc');
    expect(rotating.rewrap(renewed, place)).toBe(renewed);
    expect(reasonOf(() => sealerOf(newKey).rewrap(sealed, place))).toBe('unknownKey');
  });
});

describe('a secret', () => {
  const secret = new Secret('whsec_abc');

  it('does not show in a log, JSON or text', () => {
    const shown = [String(secret), inspect({ secret }), JSON.stringify({ secret })];
    for (const text of shown) expect(text).not.toContain('abc');
  });

  it('is not told by an error', () => {
    const error = new SealError('broken', place);
    expect(error.message).toBe(
      'signing_secret of subscription.7 was changed, or moved from another place',
    );
  });
});

/** The last character of base64 may hold bits that stand for nothing. */
const bytesOf = (text: string) =>
  text
    .split('.')
    .map((part, index) => (index < 2 ? part : Buffer.from(part, 'base64url').toString('hex')))
    .join('.');
