import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { verifyWebhook, type WebhookRequest, WebhookVerificationError } from './index.ts';
import { exampleEvent, exampleTask } from './test-support/examples.ts';

const secretOf = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;
const [secret, otherSecret] = [secretOf('a'), secretOf('b')];

const event = exampleEvent('task.created', { task: exampleTask('TASK_STATE_SUBMITTED') });
const body = JSON.stringify(event);

/** Signed by the standard's own library. */
function signed(text = body, by = secret, at = new Date()) {
  return {
    body: text,
    headers: {
      'webhook-id': event.event_id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(by).sign(event.event_id, at, text),
    },
  };
}

function reasonOf(request: WebhookRequest, secrets: string | string[] = secret): unknown {
  try {
    return verifyWebhook(request, secrets);
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : error;
  }
}

afterEach(() => void vi.useRealTimers());

describe('a webhook', () => {
  it('brings its event when the signature is right', () => {
    expect(verifyWebhook(signed(), secret)).toEqual(event);
  });

  it.each([
    ['a Headers object', (headers: object) => new Headers(Object.entries(headers))],
    [
      'names in upper case',
      (headers: object) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toUpperCase(), String(value)]),
        ),
    ],
  ])('may have its headers as %s', (_what, convert) => {
    const { headers } = signed();
    expect(verifyWebhook({ body, headers: convert(headers) }, secret)).toEqual(event);
  });

  it('may have its body as bytes', () => {
    expect(verifyWebhook({ ...signed(), body: Buffer.from(body) }, secret)).toEqual(event);
    expect(verifyWebhook({ ...signed(), body: new TextEncoder().encode(body) }, secret)).toEqual(
      event,
    );
  });

  it('is verified by any of several secrets, and by any of several signatures', () => {
    expect(verifyWebhook(signed(), [otherSecret, secret])).toEqual(event);
    const { headers } = signed();
    const signatures = [
      'v1a,other',
      signed(body, otherSecret).headers['webhook-signature'],
      headers['webhook-signature'],
    ];
    const rotated = { ...headers, 'webhook-signature': signatures.join(' ') };
    expect(verifyWebhook({ body, headers: rotated }, secret)).toEqual(event);
  });

  it('of a type that is newer than this package is none', () => {
    expect(verifyWebhook(signed(JSON.stringify({ event_type: 'x.y' })), secret)).toBeUndefined();
  });
});

describe('a webhook is refused', () => {
  it('when another secret signed it', () => {
    expect(reasonOf(signed(), otherSecret)).toBe('signature');
    expect(reasonOf(signed(), [])).toBe('signature');
  });

  it('when a character of its body, id or time is another', () => {
    const request = signed();
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.string({ minLength: 1 }), (at, text) => {
        const changed = body.slice(0, at) + text + body.slice(at + text.length);
        fc.pre(changed !== body);
        expect(reasonOf({ ...request, body: changed })).toBe('signature');
      }),
    );
    for (const [name, value] of Object.entries(request.headers)) {
      if (name === 'webhook-signature') continue;
      const headers = { ...request.headers, [name]: `${value.slice(0, -1)}x` };
      expect(reasonOf({ body, headers })).toMatch(/^(signature|timestamp)$/);
    }
  });

  it.each(['', 'v1,', 'v1', 'v1a,AAAA', 'AAAA', 'v1,AAAA', 'v2,AAAA v1,'])(
    'when its signature is %j',
    (signature) => {
      const headers = { ...signed().headers, 'webhook-signature': signature };
      expect(reasonOf({ body, headers })).toMatch(/^(signature|headers)$/);
    },
  );

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'when it has no %s, or two',
    (name) => {
      const { headers } = signed();
      expect(reasonOf({ body, headers: { ...headers, [name]: undefined } })).toBe('headers');
      expect(reasonOf({ body, headers: { ...headers, [name]: ['a', 'b'] } })).toBe('headers');
    },
  );

  it('five minutes after it was signed, or before', () => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
    const at = (seconds: number) => new Date((1_800_000_000 + seconds) * 1000);
    expect(reasonOf(signed(body, secret, at(-300)))).toEqual(event);
    expect(reasonOf(signed(body, secret, at(300)))).toEqual(event);
    expect(reasonOf(signed(body, secret, at(-301)))).toBe('timestamp');
    expect(reasonOf(signed(body, secret, at(301)))).toBe('timestamp');
  });

  it.each(['', 'soon', '-1', '1e9', '1800000000.5', '0x6b49d200', '9'.repeat(40)])(
    'when its time is %j',
    (timestamp) => {
      vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
      const headers = { ...signed().headers, 'webhook-timestamp': timestamp };
      expect(reasonOf({ body, headers })).toMatch(/^(timestamp|headers)$/);
    },
  );

  it.each(['', '{', '[]', 'null', '{"event_type":"task.created"}'])(
    'when it is signed and its body is %j',
    (text) => {
      expect(reasonOf(signed(text))).toBe('body');
    },
  );

  it.each(['', 'whsec_', 'whsec_!', 'secret', Buffer.alloc(32).toString('base64')])(
    'with a TypeError when the secret is %j',
    (secret) => {
      expect(reasonOf(signed(), secret)).toBeInstanceOf(TypeError);
    },
  );
});
