import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rotatedSecretSchema } from '@relay/protocol';
import { createSecretKeyText } from '@relay/runtime';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSocket } from '../support/agent-socket.ts';
import { adminToken } from '../support/gateway.ts';
import { GatewayClient, type TestAgent } from '../support/gateway-client.ts';
import { refusedUpgrade } from '../support/refused-upgrade.ts';
import { TestRelay } from '../support/relay.ts';
import { WebhookClient } from '../support/webhook-client.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

describe('a relay that may send to private networks', () => {
  let relay: TestRelay;
  let client: GatewayClient;
  let agent: TestAgent;
  let webhooks: WebhookClient;
  const socketUrl = () => `${relay.url.replace('http', 'ws')}/v1/websocket`;

  beforeAll(async () => {
    relay = await TestRelay.start({
      RELAY_ADMIN_TOKEN: adminToken,
      RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    });
    client = new GatewayClient(relay.url);
    agent = await client.createAgent();
    webhooks = new WebhookClient(client, agent);
  });
  afterAll(() => relay?.stop());

  it('warns of it when it starts', () => {
    expect(relay.output).toContain('warning: webhooks may reach 127.0.0.0/8');
  });

  it('keeps the key that seals secrets to itself', async () => {
    const { mode } = await stat(join(relay.dataDir, 'secret.key'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('never sends to itself', async () => {
    const answer = await webhooks.create({ target_url: `${relay.url}/v1/tasks` });
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
    expect(answer.body.error.message).toContain('this relay itself');
  });

  it('has no WebSocket for an agent with webhooks, and one again after them', async () => {
    const socket = await AgentSocket.open({ url: socketUrl(), token: agent.token });
    const { id } = await webhooks.created();
    expect(await socket.closed).toBe(4410);
    expect(socket.disconnectReason).toBe('webhook_configured');
    expect(await refusedUpgrade(socketUrl(), agent.token)).toMatchObject({ status: 409 });
    await webhooks.delete(id);
    const again = await AgentSocket.open({ url: socketUrl(), token: agent.token });
    await again.close();
  });

  it('signs with the same secrets after it was killed and started again', async () => {
    const receiver = await WebhookReceiver.start();
    const { id, signing_secret } = await webhooks.created({
      target_url: receiver.url,
      headers: { 'x-api-key': 'k' },
    });
    await relay.kill();
    await relay.restart();
    await webhooks.test(id);
    const [webhook] = receiver.received;
    expect(webhook?.headers['x-api-key']).toBe('k');
    const verified = new Webhook(signing_secret).verify(
      webhook?.body ?? '',
      webhook?.headers ?? {},
    );
    expect(verified).toMatchObject({ agent_id: agent.id });
  });

  it('tells of secrets that its key does not open, and takes new ones', async () => {
    const receiver = await WebhookReceiver.start();
    const fields = { target_url: receiver.url, headers: { 'x-api-key': 'k' } };
    const { id } = await webhooks.created(fields);
    await relay.forgetSecretKey();
    await relay.replace({
      RELAY_SECRET_KEY: createSecretKeyText(),
      RELAY_WEBHOOK_CHALLENGE: 'true',
    });
    const failed = await webhooks.test(id);
    expect(JSON.parse(failed.text)).toMatchObject({ error_code: 'secret_unreadable' });
    const moved = await webhooks.change(id, { target_url: `${receiver.url}/other` });
    expect([moved.status, moved.body.error.message]).toEqual([
      400,
      expect.stringContaining('RELAY_SECRET_KEY'),
    ]);
    const { signing_secret } = rotatedSecretSchema.parse(
      JSON.parse((await webhooks.rotate(id)).text),
    );
    await webhooks.change(id, { headers: { 'x-api-key': 'other' } });
    await webhooks.test(id);
    const [webhook] = receiver.received;
    expect(webhook?.headers['x-api-key']).toBe('other');
    new Webhook(signing_secret).verify(webhook?.body ?? '', webhook?.headers ?? {});
  });
});
