import { isIP } from 'node:net';
import { z } from 'zod';
import { isSecretKey, readSecretKeys } from './secret-key.ts';
import { readSigningKeys } from './signing-key.ts';

const isBetween = (value: number, minimum: number, maximum: number) =>
  value >= minimum && value <= maximum;

export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .refine((text) => /^\d+$/.test(text) && isBetween(Number(text), minimum, maximum), {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform(Number);
}

export function seconds(minimum: number, maximum: number) {
  return z
    .string()
    .refine((text) => /^\d+(\.\d+)?$/.test(text) && isBetween(Number(text), minimum, maximum), {
      error: `must be a number of seconds from ${minimum} to ${maximum}`,
    })
    .transform(Number);
}

/** Seconds with commas between them, at least one. */
export function secondsList(minimum: number, maximum: number) {
  const one = seconds(minimum, maximum);
  return z
    .string()
    .refine((list) => list.split(',').every((text) => one.safeParse(text.trim()).success), {
      error: `must be numbers of seconds from ${minimum} to ${maximum} with commas between them`,
    })
    .transform((list) => list.split(',').map(Number));
}

export function toggle() {
  return z.stringbool({ error: 'must be true or false' });
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return z.enum(choices, { error: `must be one of ${choices.join(', ')}` });
}

export function text() {
  return z.string().trim().min(1);
}

export function webUrl() {
  return z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .transform((url) => url.replace(/\/+$/, ''));
}

export function natsUrl() {
  return z.string().refine((list) => list.split(',').every(isNatsUrl), {
    error: 'must be a nats:// or tls:// URL, or several with commas between them',
  });
}

export function redisUrl() {
  return z
    .string()
    .refine((url) => url.startsWith('/') || hasProtocol(url, ['redis:', 'rediss:']), {
      error: 'must be a redis:// or rediss:// URL, or the path of a Unix socket',
    });
}

/** A token travels in a header, so it holds visible ASCII only. */
export function token() {
  return z.string().regex(/^[\x21-\x7e]+$/, {
    error: 'must be printable ASCII characters without spaces',
  });
}

/** What `true` stands for. Link-local is not among them: clouds serve credentials there. */
const privateNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
];

/** Addresses and CIDRs; `true` for the private networks, `false` for none. */
export function networks() {
  return z
    .string()
    .transform((text) => {
      const isOn = toggle().safeParse(text).data;
      if (isOn !== undefined) return isOn ? privateNetworks : [];
      return text.split(',').map((network) => network.trim());
    })
    .refine((list) => list.every(isNetwork), {
      error: 'must be true, false, or networks such as 10.0.0.0/8 with commas between them',
    });
}

/** Keys that seal secrets, at least one. */
export function secretKeys() {
  return z
    .string()
    .refine((list) => list.split(',').every(isSecretKey), {
      error: 'must be the base64 of 32 bytes, or several of them with commas between them',
    })
    .transform((list) => readSecretKeys(list));
}

/** Keys that sign, at least one. */
export function signingKeys() {
  return z.string().transform((list, context) => {
    const keys = readSigningKeys(list);
    if (keys) return keys;
    const message =
      'must be the base64 of a private key of Ed25519 or P-256 in PKCS #8, or several of them with commas between them';
    context.addIssue({ code: 'custom', message, input: undefined });
    return z.NEVER;
  });
}

function isNetwork(text: string): boolean {
  const [address = '', prefixLength = '0', ...rest] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= longest;
}

const isNatsUrl = (url: string) => hasProtocol(url, ['nats:', 'tls:']);

function hasProtocol(url: string, protocols: readonly string[]): boolean {
  return URL.canParse(url) && protocols.includes(new URL(url).protocol);
}
