import { randomUUID } from 'node:crypto';
import { isJsonObject } from '@relay/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { inTurns, mutationsOf, wrongBodies } from '../../support/garbage.ts';
import { adminToken } from '../../support/gateway.ts';
import { agentMessage, atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { ownersAt } from '../../support/owners.ts';

const relay = useGateway();

const lastSequence = () => relay.gateway.bus.tasks.stream.lastSequence();

async function openTask(): Promise<string> {
  const answer = await relay.client.rpc({
    from: relay.planner,
    to: relay.worker,
    method: 'SendMessage',
    params: { message: message(), configuration: atOnce },
  });
  return answer.body.result.task.id;
}

const fullMessage = {
  messageId: 'message',
  contextId: 'context',
  role: 'ROLE_USER',
  parts: [
    { text: 'x', mediaType: 'text/plain', filename: 'x', metadata: { a: 1 } },
    { data: { a: [1] }, mediaType: 'application/json' },
    { url: 'https://x.example/x', mediaType: 'text/plain' },
    { raw: 'eA==', mediaType: 'text/plain' },
  ],
  metadata: { a: { b: 1 } },
  extensions: ['https://x.example/extension'],
  referenceTaskIds: ['x'],
};

describe('garbage at an address', () => {
  const operations: Readonly<Record<string, unknown>> = {
    SendMessage: {
      message: fullMessage,
      configuration: { ...atOnce, acceptedOutputModes: ['text/plain'], historyLength: 1 },
      metadata: { a: 1 },
    },
    GetTask: { id: randomUUID(), historyLength: 1 },
    ListTasks: {
      contextId: 'x',
      status: 'TASK_STATE_WORKING',
      pageSize: 1,
      pageToken: 'x',
      historyLength: 1,
      statusTimestampAfter: '2026-01-01T00:00:00Z',
      includeArtifacts: true,
    },
    CancelTask: { id: randomUUID(), metadata: { a: 1 } },
    SubscribeToTask: { id: randomUUID() },
  };

  it.each(Object.entries(operations))(
    'in any field of %s is answered as JSON-RPC, never with 5xx',
    async (method, params) => {
      const statuses = new Set<number>();
      const tasks = new Set<string>();
      const before = await lastSequence();
      await inTurns(mutationsOf({ jsonrpc: '2.0', id: 1, method, params }), async (body) => {
        const withoutWait = withReturnImmediately(body);
        const answer = await relay.client.send('POST', `/${relay.worker.handle}`, {
          token: relay.planner.token,
          body: JSON.stringify(withoutWait),
        });
        statuses.add(answer.status);
        if (answer.body.result?.task) tasks.add(answer.body.result.task.id);
        const isAnswered = answer.body.result !== undefined || isRpcError(answer.body);
        expect([body, isAnswered]).toEqual([body, true]);
      });
      expect([...statuses]).toEqual([200]);
      expect((await lastSequence()) - before).toBe(tasks.size);
    },
    120_000,
  );

  it.each(wrongBodies)(
    'as the whole body is refused and changes nothing: %s',
    async (_name, body) => {
      const before = await lastSequence();
      const answer = await relay.client.send('POST', `/${relay.worker.handle}`, {
        token: relay.planner.token,
        body,
      });
      expect(answer.status).toBe(200);
      expect(isRpcError(answer.body)).toBe(true);
      expect(await lastSequence()).toBe(before);
    },
  );
});

describe("garbage in Relay's REST", () => {
  let taskId: string;
  let ownerId: string;
  let personId: string;
  let personHandle: string;

  beforeAll(async () => {
    taskId = await openTask();
    const owners = ownersAt(relay);
    ownerId = (await owners.organization()).id;
    personId = (await owners.person()).id;
    const person = await owners.admin('GET', `/v1/owners/${personId}`);
    personHandle = 'handle' in person.body.owner ? person.body.owner.handle : '';
  });

  const organization = { kind: 'organization', name: 'x', website: 'https://x.example/' };

  const card = {
    first_name: 'x',
    last_name: 'y',
    subtitle: 'x',
    description: null,
    category: 'travel',
    skills: [{ id: 'x', name: 'x', description: 'x', tags: ['x'], examples: ['x'] }],
    input_modes: ['image/*'],
    visibility: 'public',
    image_url: 'https://x.example/x.png',
  };

  const requests = (): readonly (readonly [string, string, unknown, token?: string])[] => [
    ['POST', '/v1/tasks', { to: relay.worker.handle, message: fullMessage, metadata: { a: 1 } }],
    ['POST', `/v1/tasks/${taskId}/status`, { state: 'WORKING', message: agentMessage('x') }],
    [
      'POST',
      `/v1/tasks/${taskId}/artifacts`,
      {
        artifact: {
          artifactId: 'a',
          name: 'x',
          description: 'x',
          parts: [{ text: 'x' }],
          metadata: { a: 1 },
          extensions: ['x'],
        },
      },
    ],
    ['POST', `/v1/tasks/${randomUUID()}/reply`, { message: agentMessage('x') }],
    ['POST', '/v1/contacts/lookup', { handle: 'x_y' }],
    ['POST', '/v1/contacts/lookup', { id: randomUUID() }],
    ['POST', '/v1/contacts/lookup', { task: 'x' }],
    ['POST', '/v1/contact_card', { handle: relay.worker.handle, first_name: 'x', last_name: 'y' }],
    ['PATCH', `/v1/contact_card?handle=${relay.worker.handle}`, card],
    ['PATCH', '/v1/me', { accepts_tasks: true }],
    ['PUT', `/v1/access/${personHandle}`, { rule: 'allow' }],
    ['POST', '/v1/blocked_handles', { handle: personHandle, reason: 'x' }],
    ['POST', '/v1/owners', { ...organization, verified: true }, adminToken],
    ['POST', '/v1/owners', { kind: 'user', handle: 'x', display_name: 'x' }, adminToken],
    ['PATCH', `/v1/owners/${ownerId}`, { name: 'x', website: null, verified: true }, adminToken],
    [
      'PATCH',
      `/v1/owners/${personId}`,
      { display_name: 'x', organizations: [ownerId] },
      adminToken,
    ],
    ['POST', '/v1/agents', { handle: 'x', owner_id: ownerId, skills: [] }, adminToken],
    ['PATCH', `/v1/agents/${relay.worker.handle}`, { owner_id: ownerId }, adminToken],
  ];

  it('in any field is answered in its form, never with 5xx', async () => {
    for (const [method, path, valid, token = relay.worker.token] of requests()) {
      await inTurns(mutationsOf(valid), async (body) => {
        const {
          status,
          body: answer,
          text,
        } = await relay.client.send(method, path, {
          token,
          body: JSON.stringify(body),
        });
        const isAnswered = status < 300 || (status < 500 && isRestError(answer));
        if (!isAnswered) throw new Error(`${path} ${JSON.stringify(body)}: ${status} ${text}`);
      });
    }
  }, 120_000);

  it.each(wrongBodies)(
    'as the whole body is refused and changes nothing: %s',
    async (_name, body) => {
      const before = await lastSequence();
      for (const [method, path, , token = relay.worker.token] of requests()) {
        const answer = await relay.client.send(method, path, { token, body });
        expect([path, answer.status, isRestError(answer.body)]).toEqual([path, 400, true]);
      }
      expect(await lastSequence()).toBe(before);
    },
    120_000,
  );

  it('in a path or a query is answered in its form', async () => {
    const { token } = relay.worker;
    for (const path of [
      '/v1/tasks/x',
      '/v1/tasks/..%2F..%2Fx',
      `/v1/tasks/${'x'.repeat(90)}`,
      '/v1/tasks/%00',
      '/v1/tasks?state=x',
      '/v1/tasks?page_size=1e3',
      '/v1/tasks?page_token=%00',
      '/v1/tasks?__proto__=x',
      '/v1/directory?limit=1e3',
      '/v1/directory?q=',
      '/v1/directory?cursor=%00',
      '/v1/directory?cursor=WyJ4IiwieCJd',
      '/v1/directory?category=__proto__',
      '/v1/directory?q=x&q=y',
    ]) {
      const { status, body } = await relay.client.send('GET', path, { token });
      expect([path, status < 500, isRestError(body)]).toEqual([path, true, true]);
    }
  });
});

/** What would wait for an answer otherwise. */
function withReturnImmediately(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body['params'])) return body;
  const { configuration } = body['params'];
  const isRead = configuration === null || isJsonObject(configuration);
  if (body['method'] !== 'SendMessage' || !isRead) return body;
  const { returnImmediately: given, ...rest } = configuration ?? {};
  if (given) return body;
  return { ...body, params: { ...body['params'], configuration: { ...rest, ...atOnce } } };
}

function isRpcError(body: { readonly error?: { readonly code: number } }): boolean {
  const code = body.error?.code ?? 0;
  return code <= -32000 && code > -32800;
}

function isRestError(body: object): boolean {
  return 'success' in body && body.success === false && 'trace_id' in body;
}
