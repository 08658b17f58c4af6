import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0.0: `whsec_` and the base64 of the key. */
const prefix = 'whsec_';

export interface WebhookMessage {
  /** The event's id: the same on every attempt. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
}

export type WebhookHeaders = Readonly<
  Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>;

/** A new secret of 32 random bytes, in the text that its owner is shown once. */
export function createSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * Signs one attempt (contract §5.3). While a secret is being replaced the attempt is signed with the
 * old one and the new one.
 * @param secrets texts of {@link createSigningSecret}, at least one
 */
export function signWebhook(message: WebhookMessage, secrets: readonly string[]): WebhookHeaders {
  const timestamp = String(Math.floor(message.timestamp));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'));
    const signature = hmac.update(`${message.id}.${timestamp}.`).update(message.body);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
