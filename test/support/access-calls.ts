import { expect } from 'vitest';
import type { Answer, GatewayClient, TestAgent } from './gateway-client.ts';
import type { Actors, Request } from './operation-calls.ts';

type Client = Pick<GatewayClient, 'send'>;

/** `agent` puts `other` on one of its lists. */
export async function list(
  client: Client,
  agent: TestAgent,
  other: Pick<TestAgent, 'handle'>,
  rule: 'allow' | 'deny',
): Promise<void> {
  const answer = await client.send('PUT', `/v1/access/${other.handle}`, {
    token: agent.token,
    body: { rule },
  });
  expect(answer.status).toBe(200);
}

export async function block(
  client: Client,
  agent: TestAgent,
  other: Pick<TestAgent, 'handle'>,
): Promise<void> {
  const answer = await client.send('POST', '/v1/blocked_handles', {
    token: agent.token,
    body: { handle: other.handle },
  });
  expect(answer.status).toBe(201);
}

export function unblock(
  client: Client,
  agent: TestAgent,
  other: Pick<TestAgent, 'handle'>,
): Promise<Answer> {
  return client.send('DELETE', '/v1/blocked_handles', {
    token: agent.token,
    body: { handle: other.handle },
  });
}

/** One call of each operation on access lists and blocks, by the operation's id. */
export function accessCalls(
  { client, planner }: Actors,
  send: (method: string, path: string, request?: Request) => Promise<Answer>,
): Readonly<Record<string, () => Promise<Answer>>> {
  const { token } = planner;
  const blocks = '/v1/blocked_handles';
  const listed = async () => {
    const other = await client.createAgent();
    await list(client, planner, other, 'allow');
    return `/v1/access/${other.handle}`;
  };
  const blocked = async () => {
    const other = await client.createAgent();
    await block(client, planner, other);
    return { handle: other.handle };
  };
  return {
    getAccessLists: async () => {
      await listed();
      return send('GET', '/v1/access', { token });
    },
    setAccess: async () => send('PUT', await listed(), { token, body: { rule: 'deny' } }),
    removeAccess: async () => send('DELETE', await listed(), { token }),
    listBlockedHandles: async () => {
      await blocked();
      return send('GET', blocks, { token });
    },
    blockHandle: async () => {
      const { handle } = await client.createAgent();
      return send('POST', blocks, { token, body: { handle, reason: 'spam' } });
    },
    unblockHandle: async () => send('DELETE', blocks, { token, body: await blocked() }),
  };
}
