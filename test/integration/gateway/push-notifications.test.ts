import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../support/gateway-client.ts';
import { ofRpc, pushDialects } from '../../support/push-dialects.ts';
import { bodiesOf, usePushedTasks } from '../../support/pushed-tasks.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const { relay, rpc, act, setState, addArtifact, openTask, setConfig } = usePushedTasks();

const dialects = pushDialects(() => ({
  client: relay.client,
  from: relay.planner,
  to: relay.worker,
}));
const authentication = { scheme: 'Bearer', credentials: 'the-credentials' };
const secrets = { token: 'the-token', authentication };

describe('each later update of a task', () => {
  it('is POSTed as a StreamResponse, with what the receiver knows it by', async () => {
    const receiver = await WebhookReceiver.start();
    const taskId = await openTask({ url: receiver.url, ...secrets });
    await setState(taskId, 'WORKING');
    await addArtifact(taskId);
    await setState(taskId, 'COMPLETED');
    await receiver.count(3);
    const told = { taskId, contextId: expect.any(String) };
    expect(bodiesOf(receiver.received)).toEqual([
      {
        statusUpdate: { ...told, status: expect.objectContaining({ state: 'TASK_STATE_WORKING' }) },
      },
      { artifactUpdate: { ...told, artifact: expect.any(Object), lastChunk: true } },
      {
        statusUpdate: {
          ...told,
          status: expect.objectContaining({ state: 'TASK_STATE_COMPLETED' }),
        },
      },
    ]);
    for (const { headers } of receiver.received) {
      expect(headers).toMatchObject({
        'content-type': 'application/a2a+json',
        authorization: 'Bearer the-credentials',
        'x-a2a-notification-token': 'the-token',
      });
    }
    expect(receiver.received.map(({ revision }) => revision)).toEqual([2, 3, 4]);
    expect(receiver.eventIds).toHaveLength(3);
  });

  it.each(dialects)(
    'is told as the version has it that registered: $name',
    async ({ name, set }) => {
      const receiver = await WebhookReceiver.start();
      const taskId = await openTask();
      await set(taskId, { url: receiver.url, ...secrets });
      await setState(taskId, 'COMPLETED');
      await receiver.count(1);
      const [{ headers } = raise()] = receiver.received;
      const [body] = bodiesOf(receiver.received);
      expect(headers).toMatchObject({
        authorization: 'Bearer the-credentials',
        'x-a2a-notification-token': 'the-token',
      });
      if (name.endsWith('1.0')) {
        expect(headers['content-type']).toBe('application/a2a+json');
        expect(body).toMatchObject({ statusUpdate: { taskId } });
      } else {
        expect(headers['content-type']).toBe('application/json');
        expect(body).toMatchObject({
          kind: 'task',
          id: taskId,
          status: { state: 'completed' },
          history: [{ kind: 'message' }, { kind: 'message' }],
        });
      }
    },
  );

  it('is told as 0.1 has it, of what its filter names', async () => {
    const receiver = await WebhookReceiver.start();
    const id = randomUUID();
    const stream = await relay.client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'tasks/sendSubscribe',
      params: {
        id,
        message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
        pushNotification: { url: receiver.url, token: 'mine', events: ['completed', 'artifact'] },
      },
    });
    await stream.next();
    stream.disconnect();
    const { body } = await relay.client.send('GET', '/v1/tasks?page_size=1', {
      token: relay.worker.token,
    });
    const taskId = body.tasks[0]?.id ?? '';
    await setState(taskId, 'WORKING');
    await addArtifact(taskId);
    await setState(taskId, 'COMPLETED');
    await receiver.count(2);
    expect(bodiesOf(receiver.received)).toMatchObject([
      { id, status: { state: 'working' }, artifacts: [{ index: 0 }] },
      { id, status: { state: 'completed' } },
    ]);
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-a2a-notification-token': 'mine',
    });
  });

  it('is told of when the requester cancels, and not of what it says itself', async () => {
    const receiver = await WebhookReceiver.start();
    const taskId = await openTask({ url: receiver.url });
    await rpc('SendMessage', { message: message('more', { taskId }), configuration: atOnce });
    await rpc('CancelTask', { id: taskId });
    await receiver.count(1);
    expect(bodiesOf(receiver.received)).toMatchObject([
      { statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } },
    ]);
  });

  it('goes to every config of the task, and to none of another one', async () => {
    const [one, two, other] = [
      await WebhookReceiver.start(),
      await WebhookReceiver.start(),
      await WebhookReceiver.start(),
    ];
    const taskId = await openTask({ url: one.url });
    await setConfig(taskId, { url: two.url });
    await setConfig(await openTask(), { url: other.url });
    await setState(taskId, 'COMPLETED');
    await Promise.all([one.count(1), two.count(1)]);
    expect(other.received).toEqual([]);
  });

  it('is told from the registration on, and no more after the deletion', async () => {
    const [receiver, witness] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const taskId = await openTask({ id: 'witness', url: witness.url });
    await setState(taskId, 'WORKING');
    await setConfig(taskId, { id: 'mine', url: receiver.url });
    await setState(taskId, 'INPUT_REQUIRED');
    await receiver.count(1);
    await rpc('DeleteTaskPushNotificationConfig', { taskId, id: 'mine' });
    await setState(taskId, 'WORKING');
    await setState(taskId, 'COMPLETED');
    await witness.count(4);
    expect(bodiesOf(receiver.received)).toMatchObject([
      { statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
    ]);
  });

  it('is told of no change before, where the task is final', async () => {
    const [receiver, witness] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const taskId = await openTask();
    await setState(taskId, 'COMPLETED');
    expect((await setConfig(taskId, { url: receiver.url })).status).toBe(200);
    const other = await openTask({ url: witness.url });
    await setState(other, 'COMPLETED');
    await witness.count(1);
    expect(receiver.received).toEqual([]);
  });
});

describe('a message to an agent that takes no tasks', () => {
  it('has its task pushed once the agent makes one of it', async () => {
    const [inbox, receiver] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const { token, ...agent } = await relay.client.createAgent({ acceptsTasks: false });
    await relay.client.send('POST', '/v1/webhook-subscriptions', {
      token,
      body: { target_url: inbox.url, subscribed_events: ['message.received'] },
    });
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    const answer = rpc('SendMessage', { message: message(), configuration }, agent);
    await inbox.count(1);
    const taskId = /"task_id":"([^"]+)"/.exec(inbox.received[0]?.body ?? '')?.[1] ?? '';
    await act(taskId, 'status', { state: 'WORKING', message: agentMessage('x') }, token);
    await act(taskId, 'status', { state: 'COMPLETED', message: agentMessage('y') }, token);
    expect((await answer).body.result.task.id).toBe(taskId);
    await receiver.count(2);
    expect(bodiesOf(receiver.received)).toMatchObject([
      { task: { id: taskId, status: { state: 'TASK_STATE_WORKING' } } },
      { statusUpdate: { taskId, status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
  });
});

function raise(): never {
  throw new Error('Nothing came');
}

it('a secret of a config is in no answer', async () => {
  const taskId = await openTask({ id: 'mine', url: 'https://receiver.example/', ...secrets });
  const answers = [
    await rpc('GetTaskPushNotificationConfig', { taskId, id: 'mine' }),
    await rpc('ListTaskPushNotificationConfigs', { taskId }),
    await rpc('GetTask', { id: taskId }),
  ];
  for (const { text } of answers) expect(text).not.toMatch(/the-credentials|the-token/);
  expect(ofRpc(answers[0] ?? raise()).result).toMatchObject({
    authentication: { scheme: 'Bearer' },
  });
});
