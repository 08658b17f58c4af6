import { z } from 'zod';

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

const isNatsUrl = (url: string) => hasProtocol(url, ['nats:', 'tls:']);

function hasProtocol(url: string, protocols: readonly string[]): boolean {
  return URL.canParse(url) && protocols.includes(new URL(url).protocol);
}
