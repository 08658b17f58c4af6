import { expect } from 'vitest';
import { accessCalls } from './access-calls.ts';
import { problemWithRequest } from './api-reference.ts';
import { chatCalls } from './chat-calls.ts';
import { adminToken, type TestGateway } from './gateway.ts';
import {
  type Answer,
  agentMessage,
  atOnce,
  type GatewayClient,
  message,
  type TestAgent,
} from './gateway-client.ts';
import { httpJsonCalls } from './http-json-calls.ts';

export interface Actors {
  readonly gateway: Pick<TestGateway, 'bus'>;
  readonly client: GatewayClient;
  readonly planner: TestAgent;
  readonly worker: TestAgent;
}

export interface Request {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** One call of each operation that is to be done, by the operation's id. */
export function operationCalls(relay: Actors): Readonly<Record<string, () => Promise<Answer>>> {
  /** A request that is to be done. What is sent is checked by the reference, like what is answered. */
  const send = async (
    method: string,
    path: string,
    { token, body, headers }: Request = {},
  ): Promise<Answer> => {
    if (body !== undefined) expect(problemWithRequest(method, path, body)).toBeUndefined();
    return relay.client.send(method, path, {
      token,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    });
  };

  const asAgent = (method: string, path: string, body?: unknown) =>
    send(method, path, { token: relay.worker.token, body });
  const asAdministrator = (method: string, path: string, body?: unknown) =>
    send(method, path, { token: adminToken, body });

  const ownerPath = async (): Promise<string> => {
    const { body } = await asAdministrator('GET', '/v1/owners');
    return `/v1/owners/${body.owners[0]?.id}`;
  };

  const newTask = async (): Promise<string> => {
    const body = { to: relay.worker.handle, message: message() };
    const answer = await send('POST', '/v1/tasks', { token: relay.planner.token, body });
    return answer.body.task.id;
  };

  /** Calls to an agent's own things, below the given path. */
  const ownCalls = (base: string, call: typeof asAgent, suffix: '' | 'OfAgent') => {
    const subscriptions = `${base}/webhook-subscriptions`;
    const create = () =>
      call('POST', subscriptions, {
        target_url: `${relay.client.url}/healthz`,
        subscribed_events: ['task.created'],
        headers: { 'x-api-key': 'a' },
      });
    /** To something that refuses all events. */
    const newSubscription = async () => `${subscriptions}/${(await create()).body.id}`;
    const deliveries = `${base}/webhook-deliveries`;
    /** The path of one that was given up. */
    const newDelivery = async () => {
      const id = (await newSubscription()).split('/').at(-1);
      await newTask();
      const query = `?status=dead_letter&subscription_id=${id}`;
      const first = async () => (await call('GET', `${deliveries}${query}`)).body.deliveries[0]?.id;
      await expect.poll(first).toBeDefined();
      return `${deliveries}/${await first()}`;
    };
    const calls = {
      listWebhookDeliveries: () =>
        call('GET', `${deliveries}?status=held&event_type=task.created&page_size=2`),
      getWebhookDelivery: async () => call('GET', await newDelivery()),
      redriveWebhookDelivery: async () => call('POST', `${await newDelivery()}/redrive`),
      redriveWebhookDeliveries: () =>
        call('POST', `${deliveries}/redrive`, { status: 'dead_letter', dry_run: true }),
      createWebhookSubscription: create,
      listWebhookSubscriptions: () => call('GET', subscriptions),
      getWebhookSubscription: async () => call('GET', await newSubscription()),
      changeWebhookSubscription: async () =>
        call('PUT', await newSubscription(), { is_active: false }),
      deleteWebhookSubscription: async () => call('DELETE', await newSubscription()),
      rotateWebhookSecret: async () => call('POST', `${await newSubscription()}/rotate-secret`),
      testWebhookSubscription: async () => call('POST', `${await newSubscription()}/test`),
      listTaskChanges: async () => call('GET', `${base}/tasks/${await newTask()}/changes`),
    };
    return Object.fromEntries(Object.entries(calls).map(([id, own]) => [`${id}${suffix}`, own]));
  };

  const callAddress = async (prefix: string): Promise<Answer> => {
    const path = `${prefix}/${relay.worker.handle}`;
    const call = (method: string, params: unknown) =>
      send('POST', path, {
        token: relay.planner.token,
        body: { jsonrpc: '2.0', id: 1, method, params },
      });
    const sent = await call('SendMessage', { message: message(), configuration: atOnce });
    const { id } = sent.body.result.task;
    const answers = [
      sent,
      await call('GetTask', { id, historyLength: 1 }),
      await call('ListTasks', { pageSize: 1, includeArtifacts: true }),
      await call('CancelTask', { id }),
    ];
    const failed = answers.find(({ body }) => body.result === undefined);
    return failed ?? sent;
  };

  return {
    ...httpJsonCalls(relay, send),
    ...chatCalls(relay, send),
    ...accessCalls(relay, send),
    isAlive: () => send('GET', '/healthz'),
    isReady: () => send('GET', '/readyz'),
    getMetrics: () => send('GET', '/metrics'),
    getOpenApi: () => send('GET', '/openapi.json'),
    getAsyncApi: () => send('GET', '/asyncapi.json'),
    getEventsPage: () => send('GET', '/docs/events'),
    createTask: () =>
      send('POST', '/v1/tasks', {
        token: relay.planner.token,
        body: { to: relay.worker.handle, message: message(), metadata: { a: 1 } },
      }),
    listTasks: () => asAgent('GET', '/v1/tasks?role=callee&page_size=2'),
    getTask: async () => asAgent('GET', `/v1/tasks/${await newTask()}`),
    setTaskStatus: async () =>
      asAgent('POST', `/v1/tasks/${await newTask()}/status`, {
        state: 'TASK_STATE_WORKING',
        message: agentMessage('on it'),
      }),
    addArtifact: async () =>
      asAgent('POST', `/v1/tasks/${await newTask()}/artifacts`, {
        artifact: { artifactId: 'a', parts: [{ text: 'x' }, { data: null }, { raw: 'eA==' }] },
      }),
    replyToTask: async () =>
      asAgent('POST', `/v1/tasks/${await newTask()}/reply`, { message: agentMessage('done') }),
    cancelTask: async () =>
      send('POST', `/v1/tasks/${await newTask()}/cancel`, { token: relay.planner.token }),
    getMe: () => asAgent('GET', '/v1/me'),
    changeMe: () => asAgent('PATCH', '/v1/me', { accepts_tasks: true }),
    getContactCard: () => asAgent('GET', `/v1/contact_card?handle=${relay.worker.handle}`),
    setContactCard: () =>
      asAgent('POST', '/v1/contact_card', { handle: relay.worker.handle, first_name: 'Worker' }),
    changeContactCard: () =>
      asAgent('PATCH', `/v1/contact_card?handle=${relay.worker.handle}`, { visibility: 'public' }),
    lookUpContact: () => asAgent('POST', '/v1/contacts/lookup', { handle: relay.planner.handle }),
    listDirectory: () => send('GET', '/v1/directory?limit=1'),
    listEventTypes: () => asAgent('GET', '/v1/webhook-events'),
    ...ownCalls('/v1', asAgent, ''),
    ...ownCalls(`/v1/agents/${relay.worker.handle}`, asAdministrator, 'OfAgent'),
    createAgent: () =>
      asAdministrator('POST', '/v1/agents', {
        handle: 'documented',
        skills: [{ id: 's', name: 'S', description: 'D' }],
        owner_id: null,
      }),
    listAgents: () => asAdministrator('GET', '/v1/agents?limit=1'),
    getAgent: () => asAdministrator('GET', '/v1/agents/documented'),
    changeAgent: () => asAdministrator('PATCH', '/v1/agents/documented', { subtitle: 'New' }),
    createToken: () => asAdministrator('POST', '/v1/agents/documented/tokens', { name: 'second' }),
    listTokens: () => asAdministrator('GET', '/v1/agents/documented/tokens'),
    revokeToken: async () => {
      const { body } = await asAdministrator('GET', '/v1/agents/documented/tokens');
      return asAdministrator('DELETE', `/v1/agents/documented/tokens/${body.tokens[0]?.id}`);
    },
    deleteAgent: () => asAdministrator('DELETE', '/v1/agents/documented?free_handle=true'),
    createOwner: () =>
      asAdministrator('POST', '/v1/owners', { kind: 'organization', name: 'Acme' }),
    listOwners: () => asAdministrator('GET', '/v1/owners?limit=1'),
    getOwner: async () => asAdministrator('GET', await ownerPath()),
    changeOwner: async () => asAdministrator('PATCH', await ownerPath(), { verified: true }),
    createOwnerToken: async () =>
      asAdministrator('POST', `${await ownerPath()}/tokens`, { name: 'laptop' }),
    listOwnerTokens: async () => asAdministrator('GET', `${await ownerPath()}/tokens`),
    revokeOwnerToken: async () => {
      const { body } = await asAdministrator('GET', `${await ownerPath()}/tokens`);
      return asAdministrator('DELETE', `${await ownerPath()}/tokens/${body.tokens[0]?.id}`);
    },
    listStuckMessages: () => asAdministrator('GET', '/v1/stuck-messages?page_size=2'),
    redriveStuckMessage: async () => {
      const place = { subject: 'task.0.x', sequence: 1_000_000 };
      await relay.gateway.bus.deliveries.setAside('fan-out-tasks', place);
      return asAdministrator('POST', `/v1/stuck-messages/fan-out-tasks_${place.sequence}/redrive`);
    },
    rewrapSecrets: () => asAdministrator('POST', '/v1/secrets/rewrap', {}),
    deleteOwner: async () => asAdministrator('DELETE', await ownerPath()),
    getKeySet: () => send('GET', '/.well-known/jwks.json'),
    getRootAgentCard: () => send('GET', '/.well-known/agent-card.json'),
    getOldestRootAgentCard: () => send('GET', '/.well-known/agent.json'),
    getOldestAgentCard: () => send('GET', `/${relay.worker.handle}/.well-known/agent.json`),
    getOldestAgentCardUnderA2a: () =>
      send('GET', `/a2a/${relay.worker.handle}/.well-known/agent.json`),
    callAgent: () => callAddress(''),
    callAgentUnderA2a: () => callAddress('/a2a'),
    getAgentCard: () => send('GET', `/${relay.worker.handle}/agent-card.json`),
    getAgentCardUnderA2a: () => send('GET', `/a2a/${relay.worker.handle}/agent-card.json`),
    getWellKnownAgentCard: () => send('GET', `/${relay.worker.handle}/.well-known/agent-card.json`),
    getWellKnownAgentCardUnderA2a: () =>
      send('GET', `/a2a/${relay.worker.handle}/.well-known/agent-card.json`),
    getAgentCardOrPage: () =>
      send('GET', `/${relay.worker.handle}`, { headers: { accept: 'text/html' } }),
    getAgentCardOrPageUnderA2a: () => send('GET', `/a2a/${relay.worker.handle}`),
  };
}
