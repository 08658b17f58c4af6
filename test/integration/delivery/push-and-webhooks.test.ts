import { expect, it, onTestFinished } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { readFeed } from '../../support/feed-record.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { addWebhook, ask } from '../../support/webhooks.ts';

const relay = useDelivery('file', { webhookRetrySeconds: [0.2, 0.2, 0.2, 0.2, 60] });

it('what waits to be pushed is no event that an agent is owed when its webhooks end', async () => {
  const { delivery, planner } = relay;
  const [hook, receiver] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  receiver.answer = () => 503;
  const task = relay.newTask();
  const { id: subscriptionId } = await addWebhook(delivery, planner, hook.url);
  await ask(delivery, planner, 'set-push-config', {
    taskId: task.commands.taskId,
    config: { url: receiver.url },
    form: { version: '1.0' },
    start: { messageId: 'first' },
  });
  await task.submit();
  await task.record(task.commands.status('WORKING', 'one'));
  await expect.poll(async () => (await readFeed(delivery, planner))?.['position']).not.toBeNull();
  await receiver.count(1);
  await ask(delivery, planner, 'delete-subscription', { subscriptionId });
  expect((await readFeed(delivery, planner))?.owed).toEqual([]);
  const socket = await AgentSocket.open({ url: delivery.url, token: planner.token });
  onTestFinished(() => socket.webSocket.close());
  receiver.answer = () => 204;
  await task.record(task.commands.status('COMPLETED', 'two'));
  await socket.until(() => socket.events.length > 0);
  expect(socket.events.map(({ body }) => /"state":"(\w+)"/.exec(body)?.[1])).toEqual([
    'TASK_STATE_COMPLETED',
  ]);
  await receiver.until((received) => received.at(-1)?.revision === 3);
});
