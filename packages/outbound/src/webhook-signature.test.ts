import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createSigningSecret, signWebhook } from './index.ts';

const id = '019a2f5c-7c1e-7d3a-8b52-5a1b2c3d4e5f';

it("signs as the standard's own library does, whatever the body is", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(4_000_000_000), (body, timestamp) => {
      const secret = createSigningSecret();
      const signature = new Webhook(secret).sign(id, new Date(timestamp * 1000), body);
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      };
      expect(signWebhook({ id, timestamp, body }, [secret])).toEqual(headers);
      expect(signWebhook({ id, timestamp, body: Buffer.from(body) }, [secret])).toEqual(headers);
    }),
  );
});

it('signs with each secret while one takes the place of another', () => {
  const secrets = [createSigningSecret(), createSigningSecret()];
  const message = { id, timestamp: 1_800_000_000, body: '{}' };
  const signatures = secrets.map((secret) => signWebhook(message, [secret])['webhook-signature']);
  expect(signWebhook(message, secrets)['webhook-signature']).toBe(signatures.join(' '));
});

it('takes whole seconds of the time', () => {
  const [secret, body] = [createSigningSecret(), '{}'];
  expect(signWebhook({ id, timestamp: 1_800_000_000.9, body }, [secret])).toEqual(
    signWebhook({ id, timestamp: 1_800_000_000, body }, [secret]),
  );
});

it('makes secrets of 32 random bytes', () => {
  const secret = createSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(createSigningSecret()).not.toBe(secret);
});
