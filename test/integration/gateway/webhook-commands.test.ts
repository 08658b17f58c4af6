import type { DeliveryPort } from '@relay/domain';
import { agentIdSchema, timestampAt } from '@relay/protocol';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { startTestDelivery } from '../../support/delivery.ts';
import { adminToken } from '../../support/gateway.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { WebhookClient } from '../../support/webhook-client.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const relay = useGateway({ isSplit: true });

async function startReplica(wrap: (port: DeliveryPort) => DeliveryPort = (port) => port) {
  const delivery = await startTestDelivery(relay.nats.url);
  const server = delivery.bus.serveDeliveryCommands(wrap(delivery.commands), () => undefined);
  onTestFinished(() => delivery.close());
  return { commands: delivery.commands, stop: () => server.stop() };
}

/** Executes everything, and keeps the answer to the first command of a kind to itself. */
function losingTheFirst(type: string, port: DeliveryPort): DeliveryPort {
  let isLost = false;
  return {
    execute: async (command, deadline) => {
      const reply = await port.execute(command, deadline);
      if (isLost || command.type !== type) return reply;
      isLost = true;
      return new Promise(() => undefined);
    },
  };
}

it('a subscription is made once where the first answer is lost, with the secret that is answered', async () => {
  await startReplica((port) => losingTheFirst('create-subscription', port));
  const receiver = await WebhookReceiver.start();
  const webhooks = new WebhookClient(relay.client, await relay.client.createAgent());
  const { id, signing_secret } = await webhooks.created({ target_url: receiver.url });
  expect(JSON.parse((await webhooks.list()).text)).toMatchObject({ subscriptions: [{ id }] });
  await webhooks.test(id);
  const [webhook] = receiver.received;
  const verified = new Webhook(signing_secret).verify(webhook?.body ?? '', webhook?.headers ?? {});
  expect(verified).toMatchObject({ event_type: 'task.created' });
});

it.each([
  { type: 'rotate-secret', ask: (webhooks: WebhookClient, id: string) => webhooks.rotate(id) },
  {
    type: 'delete-subscription',
    ask: (webhooks: WebhookClient, id: string) => webhooks.delete(id),
  },
])('a $type whose first answer is lost is done once', async ({ type, ask }) => {
  await startReplica((port) => losingTheFirst(type, port));
  const receiver = await WebhookReceiver.start();
  const webhooks = new WebhookClient(relay.client, await relay.client.createAgent());
  const { id } = await webhooks.created({ target_url: receiver.url });
  expect((await ask(webhooks, id)).status).toBeLessThan(300);
  await webhooks.test(id);
  const signatures = receiver.received.map(({ headers }) => headers['webhook-signature']);
  expect(signatures.map((signature) => signature?.split(' ').length)).toEqual(
    type === 'rotate-secret' ? [2] : [],
  );
});

it('an agent that is deleted has no subscriptions any more', async () => {
  const { commands } = await startReplica();
  const agent = await relay.client.createAgent();
  await new WebhookClient(relay.client, agent).created();
  await relay.client.send('DELETE', `/v1/agents/${agent.handle}`, { token: adminToken });
  const reply = await commands.execute(
    { type: 'list-subscriptions', agentId: agentIdSchema.parse(agent.id), at: timestampAt(0) },
    Date.now() + 10_000,
  );
  expect(reply).toEqual({ type: 'done', result: [] });
});

it('each replica does what is asked, and without any the answer is 503', async () => {
  const webhooks = new WebhookClient(relay.client, await relay.client.createAgent());
  const replicas = [await startReplica(), await startReplica()];
  for (const replica of replicas) {
    expect((await webhooks.create()).status).toBe(201);
    await replica.stop();
  }
  const answer = await webhooks.create();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
});
