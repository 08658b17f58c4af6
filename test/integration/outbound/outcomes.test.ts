import { type AttemptOutcome, createSigningSecret, signWebhook } from '@relay/outbound';
import { verifyWebhook } from '@relay/sdk';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { openOutbound, post, startEcho, startReceiver } from './receivers.ts';

const event = {
  api_version: 'v1',
  webhook_version: '2026-08-30',
  event_type: 'task.canceled',
  event_id: '019a2f5c-7c1e-7d3a-8b52-5a1b2c3d4e5f',
  created_at: '2026-11-30T06:00:00.000Z',
  trace_id: '0123456789abcdef0123456789abcdef',
  agent_id: '019a2f5c-7c1e-7d3a-8b52-000000000001',
  data: { task_id: '019a2f5c-7c1e-7d3a-8b52-000000000002' },
};

function answerOf(outcome: AttemptOutcome): unknown {
  if (outcome.kind !== 'delivered') throw new Error(outcome.failure.detail);
  expect(outcome.answer).toMatchObject({ status: 200, complete: true });
  return JSON.parse(outcome.answer.text);
}

describe('a POST', () => {
  it('brings path, headers and body as they are given, and says who sends it', async () => {
    const receiver = await startEcho(({ method, url, headers }, body) => ({
      method,
      url,
      headers,
      body,
    }));
    const outcome = await openOutbound().post({
      url: `${receiver.url}/ä?b=ö&c#fragment`,
      headers: { 'content-type': 'application/json', traceparent: '00-1-2-03' },
      body: '{"text":"grüße"}',
      limits: { milliseconds: 2_000, answerBytes: 4_096 },
    });
    expect(answerOf(outcome)).toEqual({
      method: 'POST',
      url: '/hook/%C3%A4?b=%C3%B6&c',
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'content-length': '18',
        traceparent: '00-1-2-03',
        'user-agent': 'relay',
      },
      body: '{"text":"grüße"}',
    });
  });

  it("is verified by the SDK and by the standard's own library when it is signed", async () => {
    const [secret, nextSecret] = [createSigningSecret(), createSigningSecret()];
    const receiver = await startEcho(({ headers }, body) => [
      verifyWebhook({ headers, body }, secret)?.event_id,
      verifyWebhook({ headers, body }, nextSecret)?.event_id,
      new Webhook(nextSecret).verify(body, {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': String(headers['webhook-timestamp']),
        'webhook-signature': String(headers['webhook-signature']),
      }),
    ]);
    const message = {
      id: event.event_id,
      timestamp: Date.now() / 1000,
      body: JSON.stringify(event),
    };
    const outcome = await openOutbound().post({
      url: receiver.url,
      headers: signWebhook(message, [secret, nextSecret]),
      body: message.body,
      limits: { milliseconds: 2_000, answerBytes: 1_024 },
    });
    expect(answerOf(outcome)).toEqual([event.event_id, event.event_id, event]);
  });
});

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i is a delivery', async (status) => {
    const { url } = await startReceiver((_request, response) => response.writeHead(status).end());
    expect(await post(openOutbound(), url)).toEqual({
      kind: 'delivered',
      answer: { status, text: '', complete: true },
      elapsedMilliseconds: expect.any(Number),
    });
  });

  it.each([300, 304, 400, 401, 403, 404, 408, 410, 422])('of %i is final', async (status) => {
    const { url } = await startReceiver((_request, response) => response.writeHead(status).end());
    expect(await post(openOutbound(), url)).toMatchObject({
      kind: 'rejected',
      failure: { code: 'status', detail: `HTTP ${status}`, answer: { status } },
    });
  });

  it.each([429, 500, 502, 503, 504])('of %i is worth another try', async (status) => {
    const { url } = await startReceiver((_request, response) => {
      response.writeHead(status, { 'retry-after': '120' }).end('busy');
    });
    expect(await post(openOutbound(), url)).toMatchObject({
      kind: 'retry',
      failure: { code: 'status', detail: `HTTP ${status}`, answer: { status, text: 'busy' } },
      retryAfterSeconds: 120,
    });
  });

  it('that asks twice to be left alone is heard once', async () => {
    const { url } = await startReceiver((_request, response) => {
      response.writeHead(503, ['retry-after', '7', 'retry-after', 'soon']).end();
    });
    expect(await post(openOutbound(), url)).toMatchObject({ kind: 'retry', retryAfterSeconds: 7 });
  });

  it.each([301, 302, 303, 307, 308])('of %i is final and never followed', async (status) => {
    const elsewhere = await startReceiver((_request, response) => response.end());
    const { url } = await startReceiver((_request, response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    expect(await post(openOutbound(), url)).toMatchObject({
      kind: 'rejected',
      failure: { code: 'status', answer: { status } },
    });
    expect(elsewhere.connections).toEqual([]);
  });

  it('after early hints counts, not the hints', async () => {
    const { url } = await startReceiver((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('done');
    });
    expect(await post(openOutbound(), url)).toMatchObject({
      kind: 'delivered',
      answer: { status: 200, text: 'done' },
    });
  });

  it('is kept as far as it was asked for, and as text that is safe to show', async () => {
    const { url } = await startReceiver((_request, response) => {
      response.end('ok\u001b[31m\u202e\u0000\r\n\tgrüße');
    });
    const outbound = openOutbound();
    expect(await post(outbound, url)).toMatchObject({
      answer: { text: 'ok\u{fffd}[31m\u{fffd}\u{fffd}\n\tgrüße', complete: true },
    });
    expect(await post(outbound, url, { answerBytes: 2 })).toMatchObject({
      answer: { text: 'ok', complete: false },
    });
  });
});
