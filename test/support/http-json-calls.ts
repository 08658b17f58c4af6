import { adminToken } from './gateway.ts';
import { type Answer, atOnce, message } from './gateway-client.ts';
import type { Actors, Request } from './operation-calls.ts';

type Send = (method: string, path: string, request?: Request) => Promise<Answer>;

interface Form {
  readonly suffix: string;
  /** Of the address, and what stands below it. */
  readonly prefix: string;
  readonly below: string;
  readonly sendBody: (messageId: string) => object;
  readonly cardPath: string;
}

const sendBody = (messageId: string) => ({
  message: { ...message(), messageId },
  configuration: atOnce,
});

const sendBodyV03 = (messageId: string) => ({
  message: { messageId, role: 'ROLE_USER', content: [{ text: 'hello' }] },
  configuration: { blocking: false },
});

const current = { below: '', sendBody, cardPath: '/extendedAgentCard' };
const older = { below: '/v1', sendBody: sendBodyV03, cardPath: '/card' };

const forms: readonly Form[] = [
  { ...current, suffix: '', prefix: '' },
  { ...current, suffix: 'UnderA2a', prefix: '/a2a' },
  { ...older, suffix: 'V03', prefix: '' },
  { ...older, suffix: 'V03UnderA2a', prefix: '/a2a' },
];

/** One call of each operation of the HTTP+JSON binding, by the operation's id. */
export function httpJsonCalls(
  actors: Actors,
  send: Send,
): Readonly<Record<string, () => Promise<Answer>>> {
  return Object.fromEntries(forms.flatMap((form) => Object.entries(callsOf(form, actors, send))));
}

function callsOf(
  { suffix, prefix, below, sendBody: bodyOf, cardPath }: Form,
  { planner, worker }: Actors,
  send: Send,
): Readonly<Record<string, () => Promise<Answer>>> {
  const call = (method: string, path: string, request: Request = {}) =>
    send(method, `${prefix}/${worker.handle}${below}${path}`, { token: planner.token, ...request });
  const sendAs = (messageId: string, path = '/message:send') =>
    call('POST', path, { body: bodyOf(messageId) });
  const newTask = async (messageId: string = crypto.randomUUID()) =>
    (await sendAs(messageId)).body.task.id;
  const canceledTask = async (messageId: string = crypto.randomUUID()) => {
    const taskId = await newTask(messageId);
    await call('POST', `/tasks/${taskId}:cancel`);
    return taskId;
  };
  /** Streams of tasks that are done end. */
  const streamOfDone = async () => {
    const messageId = crypto.randomUUID();
    await canceledTask(messageId);
    return sendAs(messageId, '/message:stream');
  };
  const subscribe = async (method: string) =>
    call(method, `/tasks/${await canceledTask()}:subscribe`, { headers: { 'last-event-id': '1' } });
  const target = { id: 'mine', url: 'https://receiver.example/' };
  const config = below === '' ? target : { pushNotificationConfig: target };
  const configsOf = (taskId: string) => `/tasks/${taskId}/pushNotificationConfigs`;
  const configured = async () => {
    const configs = configsOf(await newTask());
    await call('POST', configs, { body: config });
    return configs;
  };
  return {
    [`a2aSendMessage${suffix}`]: () => sendAs(crypto.randomUUID()),
    [`a2aSendStreamingMessage${suffix}`]: streamOfDone,
    [`a2aGetTask${suffix}`]: async () => call('GET', `/tasks/${await newTask()}?historyLength=1`),
    [`a2aCancelTask${suffix}`]: async () =>
      call('POST', `/tasks/${await newTask()}:cancel`, { body: { metadata: {} } }),
    [`a2aSubscribeToTask${suffix}`]: () => subscribe('POST'),
    [`a2aSubscribeToTaskByGet${suffix}`]: () => subscribe('GET'),
    [`a2aCreateTaskPushNotificationConfig${suffix}`]: async () =>
      call('POST', configsOf(await newTask()), { body: config }),
    [`a2aListTaskPushNotificationConfigs${suffix}`]: async () => call('GET', await configured()),
    [`a2aGetTaskPushNotificationConfig${suffix}`]: async () =>
      call('GET', `${await configured()}/mine`),
    [`a2aDeleteTaskPushNotificationConfig${suffix}`]: async () =>
      call('DELETE', `${await configured()}/mine`),
    [`a2aGetExtendedAgentCard${suffix}`]: async () => {
      const extended_skills = [{ id: 'more', name: 'More', description: 'For agents', tags: [] }];
      const path = `/v1/agents/${worker.handle}`;
      await send('PATCH', path, { token: adminToken, body: { extended_skills } });
      return call('GET', cardPath);
    },
    ...(below === '' ? { [`a2aListTasks${suffix}`]: () => call('GET', '/tasks?pageSize=1') } : {}),
  };
}
