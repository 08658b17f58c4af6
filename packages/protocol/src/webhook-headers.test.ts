import { describe, expect, it } from 'vitest';
import { RelayError } from './errors.ts';
import { validate } from './validate.ts';
import { webhookHeadersSchema } from './webhook-headers.ts';

const read = (headers: Record<string, string>) => validate(webhookHeadersSchema, headers);
const secret = 'canary-value';
const many = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, value]));

it('names are told apart without case, and go out in lower case', () => {
  expect(read({ 'X-Api-Key': 'a\tb c', authorization: 'Bearer x' })).toEqual({
    'x-api-key': 'a\tb c',
    authorization: 'Bearer x',
  });
  expect(() => read({ 'X-Key': 'a', 'x-key': 'b' })).toThrow('named twice');
});

describe('names that are refused', () => {
  it.each(
    `host content-length content-type content-encoding transfer-encoding connection keep-alive expect te
     trailer upgrade user-agent via forwarded x-forwarded-for proxy-authorization traceparent webhook-id
     webhook-signature relay-test Host CONTENT-TYPE Webhook-Timestamp`.split(/\s+/),
  )('%s is set by others', (name) => {
    expect(() => read({ [name]: secret })).toThrow('set by Relay or by HTTP');
  });

  it.each(['', 'a b', 'a:b', 'a\r\nb', 'ä', 'a\0', '(x)'])('%j is no name', (name) => {
    expect(() => read({ [name]: secret })).toThrow('not a name');
  });
});

it.each(['a\r\nx-more: b', 'a\nb', 'a\rb', 'a\0b', 'ä', '\u2028', '\x7f'])(
  'the value %j is refused',
  (value) => {
    expect(() => read({ 'x-key': value })).toThrow('printable ASCII');
  },
);

it('takes 20 headers and 4 KiB, and no more', () => {
  expect(Object.keys(read(many(20)))).toHaveLength(20);
  expect(() => read(many(21))).toThrow('At most 20');
  expect(read({ x: 'a'.repeat(4_095) })).toBeDefined();
  expect(() => read({ x: 'a'.repeat(4_096) })).toThrow('At most 4096 bytes');
});

it('no refusal repeats a value', () => {
  const refuse = (): unknown => {
    try {
      return read({ host: secret, 'x-key': `${secret}\0`, 'a b': secret, ...many(30, secret) });
    } catch (error) {
      return error;
    }
  };
  const error = refuse();
  expect(error).toBeInstanceOf(RelayError);
  expect(JSON.stringify([error, String(error)])).not.toContain(secret);
});
