import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from '../../support/cluster.ts';
import { adminToken } from '../../support/gateway.ts';
import { GatewayClient, message } from '../../support/gateway-client.ts';

import { TestRelay } from '../../support/relay.ts';
import { TraceCollector } from '../../support/trace-collector.ts';
import { WebhookClient } from '../../support/webhook-client.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

async function startServices(settings: Record<string, string>): Promise<Running> {
  const cluster = await startCluster({ settings });
  return { url: cluster.gatewayUrls[0] ?? '', stop: () => cluster.stop() };
}

async function startOne(settings: Record<string, string>): Promise<Running> {
  const relay = await TestRelay.start({ ...settings, RELAY_ADMIN_TOKEN: adminToken });
  return { url: relay.url, stop: () => relay.stop() };
}

describe.each([
  ['three services', startServices],
  ['one process', startOne],
])('a relay as %s', (_name, start) => {
  let collector: TraceCollector;
  let relay: Running;
  beforeAll(async () => {
    collector = await TraceCollector.start();
    relay = await start({
      RELAY_OTLP_URL: collector.url,
      RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    });
  });
  afterAll(async () => {
    await relay?.stop();
    collector?.close();
  });

  it("goes on with a caller's trace, from the request through the bus to the webhook", async () => {
    const client = new GatewayClient(relay.url);
    const [planner, worker] = [await client.createAgent(), await client.createAgent()];
    const receiver = await WebhookReceiver.start();
    const subscription = { target_url: receiver.url, subscribed_events: ['task.created'] };
    await new WebhookClient(client, worker).created(subscription);
    const [traceId, callerId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    await client.rpc({
      from: planner,
      to: worker,
      method: 'SendMessage',
      params: { message: message('hello'), configuration: { returnImmediately: true } },
      headers: { traceparent: `00-${traceId}-${callerId}-01` },
    });
    await expect.poll(() => receiver.received.length).toBe(1);
    const names = ['webhook', 'event task.created', 'command submit', 'POST /:handle'];
    await expect
      .poll(() => names.filter((name) => collector.named(traceId, name).length > 0), {
        timeout: 20_000,
      })
      .toEqual(names);
    const [webhook] = collector.named(traceId, 'webhook');
    const [event] = collector.named(traceId, 'event task.created');
    const [request] = collector.named(traceId, 'POST /:handle');
    const commands = collector.named(traceId, 'command submit');
    const sent = commands.find(({ parentSpanId }) => parentSpanId === request?.spanId);
    const executed = commands.find(({ parentSpanId }) => parentSpanId === sent?.spanId);
    expect(receiver.received[0]?.headers['traceparent']).toBe(
      `00-${traceId}-${webhook?.spanId}-01`,
    );
    expect(webhook?.parentSpanId).toBe(event?.spanId);
    expect(event?.parentSpanId).toBe(sent?.spanId);
    expect(executed).toBeDefined();
    expect(request?.parentSpanId).toBe(callerId);
    const text = JSON.stringify(collector.spans);
    expect(text).not.toContain(planner.token);
    expect(text).not.toContain('hello');
  });

  it('goes on with the trace of a change to each attempt to push it', async () => {
    const client = new GatewayClient(relay.url);
    const [planner, worker] = [await client.createAgent(), await client.createAgent()];
    const receiver = await WebhookReceiver.start();
    receiver.answer = ({ attempt }) => (attempt === 1 ? 503 : 204);
    const push = { taskPushNotificationConfig: { url: receiver.url } };
    const { body } = await client.rpc({
      from: planner,
      to: worker,
      method: 'SendMessage',
      params: { message: message(), configuration: { returnImmediately: true, ...push } },
    });
    const changed = await client.send('POST', `/v1/tasks/${body.result.task.id}/status`, {
      token: worker.token,
      body: { state: 'COMPLETED' },
    });
    const traceId = changed.headers.get('x-request-id') ?? '';
    await expect.poll(() => receiver.received.length).toBe(2);
    const attempts = () => collector.named(traceId, 'push');
    const events = () => collector.named(traceId, 'event task.updated');
    await expect.poll(() => [attempts(), events()].flat().length, { timeout: 20_000 }).toBe(3);
    expect(receiver.received.map(({ headers }) => headers['traceparent'])).toEqual(
      attempts().map(({ spanId }) => `00-${traceId}-${spanId}-01`),
    );
    const [event] = events();
    expect(attempts().map(({ parentSpanId }) => parentSpanId)).toEqual([
      event?.spanId,
      event?.spanId,
    ]);
    // 2 is ERROR in OTLP.
    expect(attempts().map(({ status }) => status.code === 2)).toEqual([true, false]);
  });
});
