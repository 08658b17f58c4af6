import { type DeliveryAttempt, deliveryAttemptSchema, rotatedSecretSchema } from '@relay/protocol';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useWebhooks } from '../../support/webhook-fixture.ts';
import { type ReceivedWebhook, WebhookReceiver } from '../../support/webhook-receiver.ts';

const challengeSchema = z.strictObject({ type: z.literal('challenge'), challenge: z.string() });

const attemptOf = ({ text }: { text: string }): DeliveryAttempt =>
  deliveryAttemptSchema.parse(JSON.parse(text));

async function startReceiver(answer: WebhookReceiver['answer']): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receiver.answer = answer;
  return receiver;
}

/** Whether the secret verifies what came. */
function isSignedWith(secret: string, { body, headers }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('the target of a webhook', () => {
  const relay = useWebhooks();
  const closed = useWebhooks({ config: { allowPrivateTargets: [] } });
  const allow = 'RELAY_ALLOW_PRIVATE_TARGETS';

  it.each([
    { url: 'https://10.0.0.1/', says: ['private address', allow] },
    { url: 'https://0xA9FEA9FE/latest', says: ['metadata', allow] },
    { url: 'https://[::ffff:10.0.0.1]/', says: ['IPv4-mapped', allow] },
    { url: 'http://192.0.2.1/', says: [allow] },
    { url: 'ftp://127.0.0.1/', says: ['https://'] },
    { url: 'https://user:pass@127.0.0.1/', says: ['user name or a password'] },
    { url: 'https://127.0.0.1:25/', says: ['Port 25'] },
    { url: 'nothing', says: ['absolute URL'] },
  ])('$url is refused, by a rule that is named', async ({ url, says }) => {
    const { id } = await relay.webhooks.created();
    for (const answer of [
      await relay.webhooks.create({ target_url: url }),
      await relay.webhooks.change(id, { target_url: url }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
      for (const part of says) expect(answer.body.error.message).toContain(part);
    }
  });

  it('is public https unless the operator allows more', async () => {
    for (const target_url of ['http://127.0.0.1/', 'https://127.0.0.1/', 'https://localhost/']) {
      const answer = await closed.webhooks.create({ target_url });
      expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
      expect(answer.body.error.message).toContain(allow);
    }
  });

  it('may be a name that does not resolve now', async () => {
    const target_url = 'https://not-there-yet.invalid/hook';
    expect((await closed.webhooks.created({ target_url })).target_url).toBe(target_url);
  });
});

describe('the test of a webhook', () => {
  const relay = useWebhooks();
  const hasty = useWebhooks({ config: { webhookTimeoutSeconds: 0.2 } });

  it('sends an event that is signed and marked, with the static headers, and tells the answer', async () => {
    const receiver = await startReceiver(() => ({ status: 200, body: 'thanks' }));
    const { id, signing_secret } = await relay.webhooks.created({
      target_url: receiver.url,
      subscribed_events: ['task.updated'],
      headers: { 'X-Api-Key': 'k' },
    });
    const answer = await relay.webhooks.test(id);
    expect(answer.status).toBe(200);
    expect(attemptOf(answer)).toMatchObject({
      number: 1,
      outcome: 'delivered',
      http_status: 200,
      error_code: null,
      answer: 'thanks',
    });
    expect(receiver.received).toHaveLength(1);
    const [webhook] = receiver.received;
    if (!webhook) throw new Error('nothing came');
    expect(webhook.headers).toMatchObject({ 'x-api-key': 'k', 'relay-test': 'true' });
    expect(isSignedWith(signing_secret, webhook)).toBe(true);
    const event: { trace_id: string } = JSON.parse(webhook.body);
    expect(webhook.headers['traceparent']).toMatch(
      new RegExp(`^00-${event.trace_id}-[0-9a-f]{16}-01$`),
    );
    expect(event).toMatchObject({
      event_type: 'task.updated',
      event_id: webhook.headers['webhook-id'],
      agent_id: relay.agent.id,
      data: { task: { metadata: { relay: { test: true } } } },
    });
  });

  it.each([
    { status: 503, outcome: 'retryable_failure' },
    { status: 404, outcome: 'terminal_failure' },
    { status: 302, outcome: 'terminal_failure' },
  ])('tells of an answer $status', async ({ status, outcome }) => {
    const { url } = await startReceiver(() => ({ status, body: 'no' }));
    const { id } = await relay.webhooks.created({ target_url: url });
    const attempt = attemptOf(await relay.webhooks.test(id));
    const error_code = `http_${status}`;
    expect(attempt).toMatchObject({ outcome, http_status: status, error_code, answer: 'no' });
  });

  it.each([
    ['without its scheme', (token: string) => `the token ${token.slice(7)} is not known`],
    ['cut off', (token: string) => `${'.'.repeat(1_008)} ${token} ${'.'.repeat(1_000)}`],
    ['in JSON', (token: string) => JSON.stringify({ authorization: token })],
  ])('shows no secret that the answer repeats, %s', async (_how, body) => {
    const authorization = 'Bearer "canary\\canary"';
    const { url } = await startReceiver(() => ({ status: 401, body: body(authorization) }));
    const { id } = await relay.webhooks.created({ target_url: url, headers: { authorization } });
    expect(attemptOf(await relay.webhooks.test(id)).answer).toMatch(/^[^c]*\[hidden\][^c]*$/);
  });

  it('fails where the answer takes longer than a delivery may', async () => {
    const { url } = await startReceiver(() => null);
    const { id } = await hasty.webhooks.created({ target_url: url });
    const { started_at, finished_at, ...attempt } = attemptOf(await hasty.webhooks.test(id));
    expect(attempt).toMatchObject({ outcome: 'retryable_failure', error_code: 'response_timeout' });
    expect(Date.parse(finished_at) - Date.parse(started_at)).toBeLessThan(5_000);
  });

  it('tells where nobody listens, also of one that is off', async () => {
    const { id } = await relay.webhooks.created();
    await relay.webhooks.change(id, { is_active: false });
    const attempt = attemptOf(await relay.webhooks.test(id));
    expect(attempt).toMatchObject({ outcome: 'retryable_failure', http_status: null });
    expect(attempt).toMatchObject({ error_code: 'connect', error_message: 'ECONNREFUSED' });
  });
});

describe('a signing secret that is replaced', () => {
  const relay = useWebhooks();

  it('signs for 24 hours more, beside the new one, which is shown once', async () => {
    const receiver = await WebhookReceiver.start();
    const { id, signing_secret: first } = await relay.webhooks.created({
      target_url: receiver.url,
    });
    const answer = await relay.webhooks.rotate(id);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const rotated = rotatedSecretSchema.strict().parse(JSON.parse(answer.text));
    const expiresIn = Date.parse(rotated.previous_expires_at) - Date.now();
    expect(Math.abs(expiresIn - 24 * 3_600_000)).toBeLessThan(60_000);
    const { text } = await relay.webhooks.get(id);
    expect(text).not.toContain(rotated.signing_secret);

    await relay.webhooks.test(id);
    const [webhook] = receiver.received;
    if (!webhook) throw new Error('nothing came');
    expect(webhook.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(isSignedWith(first, webhook)).toBe(true);
    expect(isSignedWith(rotated.signing_secret, webhook)).toBe(true);
  });
});

describe('where endpoints must answer a challenge', () => {
  const relay = useWebhooks({ config: { webhookChallenge: true } });
  const challengeIn = ({ body }: ReceivedWebhook) =>
    challengeSchema.parse(JSON.parse(body)).challenge;

  it.each([
    { name: 'as JSON', echo: (challenge: string) => JSON.stringify({ challenge }) },
    { name: 'as text', echo: (challenge: string) => `${challenge}\n` },
  ])(
    'one is saved that sends it back $name, and is asked again for another URL only',
    async ({ echo }) => {
      const prove = (webhook: ReceivedWebhook) => ({
        status: 200,
        body: echo(challengeIn(webhook)),
      });
      const [receiver, other] = [await startReceiver(prove), await startReceiver(prove)];
      const { id, signing_secret } = await relay.webhooks.created({
        target_url: receiver.url,
        headers: { 'x-api-key': 'k' },
      });
      expect(receiver.received).toHaveLength(1);
      const [challenge] = receiver.received;
      expect(challenge && isSignedWith(signing_secret, challenge)).toBe(true);
      expect(challenge?.headers['x-api-key']).toBe('k');
      await relay.webhooks.change(id, { is_active: false, target_url: receiver.url });
      expect(receiver.received).toHaveLength(1);
      await relay.webhooks.change(id, { target_url: other.url });
      expect(other.received).toHaveLength(1);
    },
  );

  it.each([
    { status: 200, body: 'ok', says: 'send back' },
    { status: 200, body: '{"challenge":1}', says: 'send back' },
    { status: 401, body: 'no', says: 'HTTP 401' },
  ])('one that answers $status $body is not saved', async ({ status, body, says }) => {
    const { url } = await startReceiver(() => ({ status, body }));
    const answer = await relay.webhooks.create({ target_url: url });
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
    expect(answer.body.error.message).toContain(says);
    expect((await relay.webhooks.list()).text).toBe('{"subscriptions":[]}');
  });
});
