import { randomUUID } from 'node:crypto';
import type { NewSubscription } from '@relay/protocol';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { block, list } from '../../support/access-calls.ts';
import { type DocumentedOperation, documentedOperations } from '../../support/api-reference.ts';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { adminToken } from '../../support/gateway.ts';
import {
  type Answer,
  agentMessage,
  message,
  type TestAgent,
} from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { ownersAt } from '../../support/owners.ts';
import { kindOf, refusedWith } from '../../support/route-callers.ts';
import { toldBy } from '../../support/send-dialects.ts';

const relay = useGateway({ config: { sendWaitSeconds: 0.1, streamSeconds: 1 } });
const owners = ownersAt(relay);

const operations = documentedOperations().filter(({ statuses }) => !statuses.includes(101));

/** What nobody may hear of who is no side of it. */
type Secrets = Readonly<
  Record<
    'taskId' | 'chatId' | 'messageId' | 'subscriptionId' | 'deliveryId' | 'configId' | 'tokenId',
    string
  >
>;

interface Scene {
  readonly real: Secrets;
  readonly unknown: Secrets;
  readonly ownerId: string;
  /** Agents by what they are to the worker, whose things the secrets are. */
  readonly outsiders: Readonly<
    Record<'stranger' | 'blocked' | 'denied' | 'former member', TestAgent>
  >;
  readonly tokens: Readonly<
    Record<'unknown' | 'administrator' | 'organization' | 'person', string>
  >;
}

let scene: Scene;

const rest = (token: string, method: string, path: string, body?: unknown) =>
  owners.send(token, method, path, body);

async function refusedDelivery(): Promise<Pick<Secrets, 'subscriptionId' | 'deliveryId'>> {
  const { worker, planner, client } = relay;
  const made = await rest(worker.token, 'POST', '/v1/webhook-subscriptions', {
    target_url: `${client.url}/healthz`,
    subscribed_events: ['task.created'],
  });
  const { id: subscriptionId }: NewSubscription = JSON.parse(made.text);
  await rest(planner.token, 'POST', '/v1/tasks', { to: worker.handle, message: message() });
  const path = '/v1/webhook-deliveries?status=dead_letter';
  const first = async () => (await rest(worker.token, 'GET', path)).body.deliveries[0]?.id;
  const deliveryId = await vi.waitUntil(first, { timeout: 20_000, interval: 50 });
  return { subscriptionId, deliveryId };
}

async function setScene(): Promise<Scene> {
  const { client, worker, planner } = relay;
  const [stranger, blocked, denied, former] = await Promise.all(
    Array.from({ length: 4 }, () => client.createAgent()),
  );
  if (!stranger || !blocked || !denied || !former) throw new Error('no agents');
  await block(client, worker, blocked);
  await list(client, worker, denied, 'deny');
  const group = chatBody(await messageAgents(client, planner, [worker, former]));
  const participants = `/v1/chats/${group.chat_id}/participants`;
  await rest(planner.token, 'DELETE', participants, { handle: former.handle });
  const body = { to: worker.handle, message: message() };
  const { task } = (await rest(planner.token, 'POST', '/v1/tasks', body)).body;
  const { tokens } = (await rest(adminToken, 'GET', `/v1/agents/${worker.handle}/tokens`)).body;
  const delivery = await refusedDelivery();
  const [organization, person] = [await owners.organization(), await owners.person()];
  return {
    real: {
      taskId: task.id,
      chatId: group.chat_id,
      messageId: group.message.id,
      configId: randomUUID(),
      tokenId: tokens[0]?.id ?? '',
      ...delivery,
    },
    unknown: {
      taskId: randomUUID(),
      chatId: randomUUID(),
      messageId: randomUUID(),
      configId: randomUUID(),
      tokenId: randomUUID(),
      subscriptionId: randomUUID(),
      deliveryId: delivery.deliveryId.replace(/^[0-9a-f-]{36}/, randomUUID()),
    },
    ownerId: organization.id,
    outsiders: { stranger, blocked, denied, 'former member': former },
    tokens: {
      unknown: 'rly_unknown',
      administrator: adminToken,
      organization: organization.token,
      person: person.token,
    },
  };
}

/** All that the two sides of the secrets see of them. */
async function stateOf({ taskId, chatId, messageId, subscriptionId, deliveryId }: Secrets) {
  const { worker } = relay;
  const paths = [
    `/v1/tasks/${taskId}`,
    `/v1/chats/${chatId}`,
    `/v1/messages/${messageId}`,
    `/v1/webhook-subscriptions/${subscriptionId}`,
    `/v1/webhook-deliveries/${deliveryId}`,
  ];
  const answers = await Promise.all(paths.map((path) => rest(worker.token, 'GET', path)));
  // They are there, so that a route which tells of them would be found out.
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return answers.map(({ text }) => text);
}

beforeAll(async () => {
  scene = await setScene();
}, 60_000);

const sent = (taskId: string) => ({ ...message(), messageId: 'the same', taskId });
const sentV03 = (taskId: string) => ({
  messageId: 'the same',
  role: 'ROLE_USER',
  content: [{ text: 'hello' }],
  taskId,
});

/** Calls of JSON-RPC, of every version, that name a task. */
const rpcCalls = ({ taskId, configId }: Secrets): readonly object[] =>
  Object.entries({
    GetTask: { id: taskId },
    CancelTask: { id: taskId },
    SubscribeToTask: { id: taskId },
    SendMessage: { message: sent(taskId) },
    SendStreamingMessage: { message: sent(taskId) },
    GetTaskPushNotificationConfig: { taskId, id: configId },
    ListTaskPushNotificationConfigs: { taskId },
    DeleteTaskPushNotificationConfig: { taskId, id: configId },
    'tasks/get': { id: taskId },
    'tasks/cancel': { id: taskId },
    'tasks/resubscribe': { id: taskId },
  }).map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params }));

/** What is sent to an operation, so that it would do something for who may. */
function bodiesOf(id: string, secrets: Secrets): readonly unknown[] {
  const { planner, worker } = relay;
  const { stranger } = scene.outsiders;
  const own = id.replace(/OfAgent$/, '');
  const bodies: Readonly<Record<string, unknown>> = {
    createTask: { to: worker.handle, message: sent(secrets.taskId) },
    setTaskStatus: { state: 'WORKING', message: agentMessage('x') },
    addArtifact: { artifact: { artifactId: 'a', parts: [{ text: 'x' }] } },
    replyToTask: { message: agentMessage('x') },
    createMessage: { to: [worker.handle], message: textMessage('x') },
    sendToChat: { message: textMessage('x') },
    changeChat: { display_name: 'x' },
    addParticipant: { handle: stranger.handle },
    removeParticipant: { handle: planner.handle },
    changeWebhookSubscription: { is_active: false },
    redriveWebhookDeliveries: { status: 'dead_letter', subscription_id: secrets.subscriptionId },
    changeAgent: { subtitle: 'x' },
    createToken: {},
    lookUpContact: { handle: worker.handle },
  };
  if (id.startsWith('callAgent')) return rpcCalls(secrets);
  if (/^a2aSend.*V03/.test(id)) return [{ message: sentV03(secrets.taskId) }];
  if (id.startsWith('a2aSend')) return [{ message: sent(secrets.taskId) }];
  return [bodies[own]];
}

interface Naming {
  readonly secrets: Secrets;
  readonly handle: string;
}

async function callAs(
  token: string | undefined,
  { id, method, path }: DocumentedOperation,
  { secrets, handle }: Naming,
): Promise<Answer[]> {
  const names: Readonly<Record<string, string>> = { ...secrets, handle, ownerId: scene.ownerId };
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x');
  const answers: Answer[] = [];
  for (const body of bodiesOf(id, secrets)) {
    answers.push(
      await relay.client.send(method, named, {
        token,
        ...(body === undefined || method === 'GET' ? {} : { body }),
      }),
    );
  }
  return answers;
}

/** An answer without what differs in any two. */
function comparable({ status, headers, text }: Answer, { secrets }: Naming) {
  const ids = Object.values(secrets);
  const blank = ids.reduce((blanked, id) => blanked.replaceAll(id, 'ID'), text);
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return {
    status,
    headers: kept,
    body: blank.replace(/"trace_id":"[0-9a-f]{32}"/, '"trace_id":"T"'),
  };
}

const places = (secrets: Secrets, handle: string): Naming => ({ secrets, handle });

it('every route is for somebody', () => {
  const unplaced = operations.filter(({ id }) => kindOf(id) === undefined).map(({ id }) => id);
  expect(unplaced).toEqual([]);
});

describe.each(operations)('$method $path ($id)', (operation) => {
  const kind = kindOf(operation.id) ?? 'anyone';

  it('is refused to who has no token for it', async () => {
    const naming = places(scene.unknown, 'no_such_agent');
    const { unknown, administrator, organization, person } = scene.tokens;
    const callers = [
      ['nobody', undefined],
      ['unknown', unknown],
      ['administrator', administrator],
      ['organization', organization],
      ['person', person],
      ['agent', scene.outsiders.stranger.token],
    ] as const;
    for (const [caller, token] of callers) {
      const status = refusedWith[kind][caller];
      if (status === undefined) continue;
      for (const answer of await callAs(token, operation, naming)) {
        expect([caller, answer.status]).toEqual([caller, status]);
        const code = status === 401 ? 2004 : 2003;
        expect([caller, toldBy(answer).code]).toEqual([caller, code]);
      }
    }
  });

  it('tells nobody what is foreign from what is not there', async () => {
    const { real, unknown, outsiders, tokens } = scene;
    const isManaged = kind === 'manager';
    const { handle } = relay.worker;
    const before = await stateOf(real);
    const callers = isManaged
      ? { organization: tokens.organization, person: tokens.person }
      : Object.fromEntries(Object.entries(outsiders).map(([name, { token }]) => [name, token]));
    for (const [caller, token] of Object.entries(callers)) {
      const [foreign, missing] = [
        places(real, handle),
        places(unknown, isManaged ? 'no_such_agent' : handle),
      ];
      const answers = await callAs(token, operation, foreign);
      const text = answers.map((answer) => answer.text).join('\n');
      // What the caller itself named may be said back, in a refusal.
      const { taskId: _taskId, subscriptionId: _subscriptionId, ...others } = real;
      expect([caller, Object.values(others).filter((id) => text.includes(id))]).toEqual([
        caller,
        [],
      ]);
      if (
        !/\{(?:taskId|chatId|messageId|subscriptionId|deliveryId|tokenId)\}/.test(operation.path)
      ) {
        const isSecretBody = /^(?:createTask|callAgent|a2aSend)/.test(operation.id);
        if (!isManaged && !isSecretBody) continue;
        if (operation.id === 'createAgent' || operation.id === 'listAgents') continue;
      }
      const expected = await callAs(token, operation, missing);
      expect([caller, answers.map((answer) => comparable(answer, foreign))]).toEqual([
        caller,
        expected.map((answer) => comparable(answer, missing)),
      ]);
      expect([caller, answers.filter((answer) => toldBy(answer).code === undefined)]).toEqual([
        caller,
        [],
      ]);
    }
    expect(await stateOf(real)).toEqual(before);
  });
});
