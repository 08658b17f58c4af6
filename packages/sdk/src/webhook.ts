import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EventEnvelope, eventEnvelopeSchema, eventTypes, isJsonObject } from '@relay/protocol';
import { jsonIn } from './http/json.ts';

/** How far the sender's clock and the way may differ from here (Standard Webhooks 1.0.0). */
const toleranceSeconds = 300;

const secretPrefix = 'whsec_';

const knownEventTypes: ReadonlySet<unknown> = new Set(eventTypes);

/** A webhook as it came in. */
export interface WebhookRequest {
  /** Exactly the bytes that came: JSON that was parsed and written again may differ. */
  readonly body: string | Uint8Array;
  /** As `fetch` and Node's `http` have them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The request is not from Relay, or is too old, or holds no event: answer 401 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: 'headers' | 'timestamp' | 'signature' | 'body';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The event that a webhook brings, once it is known that Relay signed it within five minutes of now.
 * The same event may come again: its `event_id` tells.
 * @param secrets the subscription's `signing_secret`; several while one takes another's place
 * @returns none when the event's type is newer than this package: answer 2xx to it
 * @throws WebhookVerificationError; TypeError when the secrets do not have the form of one
 */
export function verifyWebhook(
  { body, headers }: WebhookRequest,
  secrets: string | readonly string[],
): EventEnvelope | undefined {
  const keys = [secrets].flat().map(readKey);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  checkTimestamp(timestamp);
  const given = readSignatures(readHeader(headers, 'webhook-signature'));
  const isSigned = keys
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest())
    .some((expected) => given.some((signature) => isSame(signature, expected)));
  if (!isSigned) throw new WebhookVerificationError('signature', 'no signature is by a secret');
  return readEvent(body);
}

function readKey(secret: string): Buffer {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  // With an empty key anybody could sign.
  if (secret.startsWith(secretPrefix) && key.length > 0) return key;
  throw new TypeError('A webhook secret is whsec_ and the base64 of a key.');
}

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('headers', `there is no single header ${name}`);
}

function checkTimestamp(timestamp: string): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    'timestamp',
    'the timestamp is not within five minutes of now',
  );
}

/** Other versions than v1 are by keys of other kinds. */
function readSignatures(header: string): Buffer[] {
  return header
    .split(' ')
    .map((signature) => signature.split(','))
    .filter(([version]) => version === 'v1')
    .map(([, text = '']) => Buffer.from(text, 'base64'));
}

const isSame = (given: Buffer, expected: Buffer) =>
  given.length === expected.length && timingSafeEqual(given, expected);

function readEvent(body: WebhookRequest['body']): EventEnvelope | undefined {
  const event = jsonIn(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  if (isJsonObject(event) && !knownEventTypes.has(event['event_type'])) return undefined;
  const envelope = eventEnvelopeSchema.safeParse(event);
  if (envelope.success) return envelope.data;
  throw new WebhookVerificationError('body', 'the body is not an event');
}
