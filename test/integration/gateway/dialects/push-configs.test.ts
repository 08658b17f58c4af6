import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentMessage, atOnce, message } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';
import { ofRpc, pushDialects } from '../../../support/push-dialects.ts';

const relay = useGateway({ config: { sendWaitSeconds: 5 } });

const parties = { from: () => relay.planner, to: () => relay.worker };
const dialects = pushDialects(() => ({
  client: relay.client,
  from: parties.from(),
  to: parties.to(),
}));
const ofOthers = pushDialects(() => ({
  client: relay.client,
  from: relay.worker,
  to: relay.planner,
}));

const url = 'https://receiver.example/hook';
const secrets = {
  token: 'the-token',
  authentication: { scheme: 'Bearer', credentials: 'the-credentials' },
};

const rpc = (method: string, params: unknown) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method, params });

async function openTask(configuration: object = {}): Promise<string> {
  const { body } = await rpc('SendMessage', {
    message: message(),
    configuration: { ...atOnce, ...configuration },
  });
  return body.result.task.id;
}

async function finish(taskId: string): Promise<void> {
  await relay.client.send('POST', `/v1/tasks/${taskId}/status`, {
    token: relay.worker.token,
    body: { state: 'COMPLETED', message: agentMessage('done') },
  });
}

async function idsOf(taskId: string): Promise<unknown> {
  const [{ list } = raise()] = dialects;
  return (await list(taskId)).result;
}

function raise(): never {
  throw new Error('There is no dialect');
}

describe.each(dialects)('push notification configs over $name', (dialect) => {
  it.each(['open', 'final'])(
    'are made, shown, listed and deleted on a task that is %s',
    async (kind) => {
      const taskId = await openTask();
      if (kind === 'final') await finish(taskId);
      const config = { id: 'mine', url, ...secrets };
      const shown = dialect.shown(taskId, config);
      expect(await dialect.set(taskId, config)).toMatchObject({ status: 200, result: shown });
      expect((await dialect.get(taskId, 'mine')).result).toEqual(shown);
      const other = { id: 'other', url: `${url}/other` };
      await dialect.set(taskId, other);
      expect((await dialect.list(taskId)).result).toEqual(
        dialect.listed([shown, dialect.shown(taskId, other)]),
      );
      expect((await dialect.remove(taskId, 'mine')).result).toEqual(dialect.removed);
      expect((await dialect.remove(taskId, 'mine')).result).toEqual(dialect.removed);
      expect((await dialect.get(taskId, 'mine')).error).toBe(-32001);
      expect((await dialect.list(taskId)).result).toEqual(
        dialect.listed([dialect.shown(taskId, other)]),
      );
    },
  );

  it('are replaced by one with the same id, in place', async () => {
    const taskId = await openTask();
    for (const id of ['a', 'b']) await dialect.set(taskId, { id, url, ...secrets });
    const replaced = { id: 'a', url: `${url}/new` };
    await dialect.set(taskId, replaced);
    const listed = [replaced, { id: 'b', url, ...secrets }];
    expect((await dialect.list(taskId)).result).toEqual(
      dialect.listed(listed.map((config) => dialect.shown(taskId, config))),
    );
  });

  it('get an id where they have none, the same for the same', async () => {
    const taskId = await openTask();
    const first = await dialect.set(taskId, { url, token: 'one' });
    const again = await dialect.set(taskId, { url, token: 'two' });
    expect(again).toEqual(first);
    expect((await dialect.list(taskId)).result).toEqual(dialect.listed([first.result]));
  });

  it.each([
    ['no url', { url: '' }],
    ['no URL at all', { url: 'nowhere' }],
    ['another scheme', { url: 'ftp://receiver.example/' }],
    ['credentials in it', { url: 'https://user:pass@receiver.example/' }],
    ['a private address', { url: 'https://10.0.0.1/hook' }],
    ['the metadata address of clouds', { url: 'http://169.254.169.254/latest' }],
    ['a URL that is too long', { url: `https://receiver.example/${'x'.repeat(2_048)}` }],
    ['a token that is no header', { url, token: 'a\r\nb' }],
    ['a scheme that is none', { url, authentication: { scheme: 'Bear er', credentials: 'x' } }],
    [
      'credentials that are no header',
      { url, authentication: { scheme: 'Bearer', credentials: 'ü' } },
    ],
  ])('are refused for %s', async (_what, config) => {
    const taskId = await openTask();
    const { error } = await dialect.set(taskId, { id: 'mine', ...config });
    expect(error).toBe(-32602);
    expect((await dialect.list(taskId)).result).toEqual(dialect.listed([]));
  });

  it('are at most ten for a task', async () => {
    const taskId = await openTask();
    for (let n = 0; n < 10; n += 1) {
      expect((await dialect.set(taskId, { id: `n${n}`, url })).status).toBe(200);
    }
    expect((await dialect.set(taskId, { id: 'one more', url })).error).toBe(-32602);
    expect((await dialect.set(taskId, { id: 'n3', url: `${url}/3` })).status).toBe(200);
  });

  it('tell nothing of a task that is not the caller’s', async () => {
    const foreign = ofOthers.find(({ name }) => name === dialect.name) ?? raise();
    const taskId = await openTask();
    await dialect.set(taskId, { id: 'mine', url });
    for (const id of [taskId, randomUUID(), 'no id']) {
      const answers = [
        await foreign.set(id, { id: 'theirs', url }),
        await foreign.get(id, 'mine'),
        await foreign.list(id),
        await foreign.remove(id, 'mine'),
      ];
      expect(answers.map(({ error }) => error)).toEqual([-32001, -32001, -32001, -32001]);
    }
    expect((await dialect.list(taskId)).result).toEqual(
      dialect.listed([dialect.shown(taskId, { id: 'mine', url })]),
    );
  });
});

describe('a push notification config that comes with a message', () => {
  const config = { id: 'inline', url, ...secrets };

  it('is there when its task is', async () => {
    const taskId = await openTask({ taskPushNotificationConfig: config });
    expect(await idsOf(taskId)).toMatchObject({ configs: [{ id: 'inline', url }] });
  });

  it('comes once, however often the message is sent, and stays deleted', async () => {
    const sent = message();
    const configuration = { ...atOnce, taskPushNotificationConfig: { url } };
    const { body } = await rpc('SendMessage', { message: sent, configuration });
    const { id } = body.result.task;
    const [first = raise()] = dialects;
    const listed = await idsOf(id);
    await rpc('SendMessage', { message: sent, configuration });
    const other = { ...atOnce, taskPushNotificationConfig: { url: `${url}/other` } };
    await rpc('SendMessage', { message: sent, configuration: other });
    expect(await idsOf(id)).toEqual(listed);
    const all: { configs: { id: string }[] } = JSON.parse(JSON.stringify(listed));
    await first.remove(id, all.configs[0]?.id ?? '');
    await rpc('SendMessage', { message: sent, configuration });
    expect(await idsOf(id)).toEqual({ configs: [], nextPageToken: '' });
  });

  it('comes with a follow-up, and replaces the one that has its id', async () => {
    const taskId = await openTask({ taskPushNotificationConfig: config });
    const taskPushNotificationConfig = { id: 'inline', url: `${url}/new` };
    await rpc('SendMessage', {
      message: message('more', { taskId }),
      configuration: { ...atOnce, taskPushNotificationConfig },
    });
    expect(await idsOf(taskId)).toEqual({
      configs: [{ taskId, ...taskPushNotificationConfig }],
      nextPageToken: '',
    });
  });

  it('changes nothing where the message is refused', async () => {
    const taskId = await openTask({ taskPushNotificationConfig: config });
    await finish(taskId);
    const taskPushNotificationConfig = { id: 'inline', url: `${url}/new` };
    const refused = await rpc('SendMessage', {
      message: message('more', { taskId }),
      configuration: { ...atOnce, taskPushNotificationConfig },
    });
    expect(refused.body.error.code).toBe(-32004);
    expect(await idsOf(taskId)).toMatchObject({ configs: [{ id: 'inline', url }] });
  });

  it('keeps the message from being taken in where it is refused itself', async () => {
    const sent = message('first');
    const taskPushNotificationConfig = { url: 'http://169.254.169.254/' };
    const configuration = { ...atOnce, taskPushNotificationConfig };
    const refused = await rpc('SendMessage', { message: sent, configuration });
    expect(refused.body.error).toMatchObject({
      code: -32602,
      data: [{ reason: 'TARGET_REFUSED' }],
    });
    const again = { ...sent, parts: [{ text: 'second' }] };
    const { body } = await rpc('SendMessage', { message: again, configuration: atOnce });
    expect(body.result.task.history?.[0]?.parts).toEqual(again.parts);
  });

  it.each([
    ['message/send', 'pushNotificationConfig'],
    ['SendMessage', 'taskPushNotificationConfig'],
  ])('is taken from %s as %s', async (method, name) => {
    const isOlder = method === 'message/send';
    const sent = isOlder
      ? { messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text: 'hello' }] }
      : message();
    const wait = isOlder ? { blocking: false } : atOnce;
    const { result } = ofRpc(
      await rpc(method, { message: sent, configuration: { ...wait, [name]: { id: 'x', url } } }),
    );
    const task: { id?: string; task?: { id: string } } = JSON.parse(JSON.stringify(result));
    expect(await idsOf(task.task?.id ?? task.id ?? '')).toMatchObject({
      configs: [{ id: 'x', url }],
    });
  });
});

describe('push notification configs of 0.1', () => {
  const sent = { role: 'user', parts: [{ type: 'text', text: 'hello' }] };
  const send = (id: string, fields: object = {}) =>
    relay.client.stream({
      from: relay.planner,
      to: relay.worker,
      method: 'tasks/sendSubscribe',
      params: { id, message: sent, ...fields },
    });

  it('are one for each task, set with a message or later', async () => {
    const id = randomUUID();
    const pushNotification = { url, ...secretsV01, events: ['completed', 'failed'] };
    const stream = await send(id, { pushNotification });
    await stream.next();
    stream.disconnect();
    const { result } = ofRpc(await rpc('tasks/pushNotification/get', { id }));
    expect(result).toEqual({
      id,
      pushNotificationConfig: {
        url,
        authentication: { schemes: ['Bearer'] },
        events: ['completed', 'failed'],
      },
    });
    const pushNotificationConfig = { url: `${url}/later` };
    const set = ofRpc(await rpc('tasks/pushNotification/set', { id, pushNotificationConfig }));
    expect(set.result).toEqual({ id, pushNotificationConfig });
    expect(ofRpc(await rpc('tasks/pushNotification/get', { id })).result).toEqual(set.result);
  });

  it('are refused where the filter names what there is not', async () => {
    const params = {
      id: randomUUID(),
      message: sent,
      pushNotification: { url, events: ['finished'] },
    };
    expect((await rpc('tasks/send', params)).body.error.code).toBe(-32602);
  });

  it('are not found where there are none, or no task', async () => {
    const id = randomUUID();
    const get = () => rpc('tasks/pushNotification/get', { id });
    expect((await get()).body.error.code).toBe(-32001);
    const stream = await send(id);
    await stream.next();
    stream.disconnect();
    expect((await get()).body.error.code).toBe(-32001);
  });

  const secretsV01 = {
    token: 'the-token',
    authentication: { schemes: ['Basic', 'Bearer'], credentials: 'the-credentials' },
  };
});
