import { subjects } from '@relay/bus';
import { agentIdSchema, deliveriesPageSchema } from '@relay/protocol';
import { expect, it } from 'vitest';
import { adminToken } from '../../support/gateway.ts';
import type { TestAgent } from '../../support/gateway-client.ts';
import { usePushedTasks } from '../../support/pushed-tasks.ts';
import { busForTest } from '../../support/test-bus.ts';
import { WebhookClient } from '../../support/webhook-client.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const { relay, setState, openTask, setConfig } = usePushedTasks();

/** Answers only when it is told to. */
async function startSlow() {
  const receiver = await WebhookReceiver.start();
  let answerAll: () => void = () => undefined;
  const isTold = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  receiver.answer = async () => {
    await isTold;
    return 400;
  };
  return { receiver, answerAll };
}

async function deliveriesOf({ id }: TestAgent) {
  const bus = await busForTest(relay.nats);
  const filter = subjects.deliveriesOfAgent(agentIdSchema.parse(id));
  return () => bus.deliveries.stream.subjects(filter);
}

it('an agent that is deleted leaves no delivery behind, neither given up, held, waiting nor in flight', async () => {
  const planner = relay.planner;
  const webhooks = new WebhookClient(relay.client, planner);
  const [refusing, asking, slow, slowPush] = [
    await WebhookReceiver.start(),
    await WebhookReceiver.start(),
    await startSlow(),
    await startSlow(),
  ];
  refusing.answer = () => 400;
  asking.answer = () => ({ status: 429, headers: { 'retry-after': '100' } });
  const events = { subscribed_events: ['task.updated'] };
  for (const { url } of [refusing, asking, slow.receiver]) {
    await webhooks.created({ target_url: url, ...events });
  }
  const { id } = await webhooks.created({ target_url: asking.url, ...events });
  const taskId = await openTask({ id: 'refusing', url: refusing.url });
  await setConfig(taskId, { id: 'asking', url: asking.url });
  await setConfig(taskId, { id: 'slow', url: slowPush.receiver.url });
  await setState(taskId, 'WORKING');
  await webhooks.change(id, { is_active: false });
  const statuses = async () => {
    const { deliveries } = deliveriesPageSchema.parse((await webhooks.listDeliveries()).body);
    return deliveries.map(({ status }) => status).toSorted();
  };
  await expect
    .poll(statuses)
    .toEqual(['dead_letter', 'dead_letter', 'held', 'pending', 'pending', 'pending']);
  await Promise.all([slow.receiver.count(1), slowPush.receiver.count(1)]);
  const left = await deliveriesOf(planner);
  expect(await left()).toHaveLength(6);
  const path = `/v1/agents/${planner.handle}`;
  expect((await relay.client.send('DELETE', path, { token: adminToken })).status).toBe(204);
  await expect.poll(left).toEqual([]);
  slow.answerAll();
  slowPush.answerAll();
  // Another agent's event passes through the same after it.
  const witness = await startWitness();
  await witness.count(1);
  expect(await left()).toEqual([]);
});

async function startWitness(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  const agent = await relay.client.createAgent();
  const webhooks = new WebhookClient(relay.client, agent);
  await webhooks.created({ target_url: receiver.url, subscribed_events: ['task.created'] });
  await relay.client.send('POST', '/v1/tasks', {
    token: relay.worker.token,
    body: {
      to: agent.handle,
      message: { messageId: 'witness', role: 'ROLE_USER', parts: [{ text: 'x' }] },
    },
  });
  return receiver;
}
