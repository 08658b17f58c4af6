import { expect } from 'vitest';
import { adminToken } from './gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

/** An owner and a good token of it. */
export interface TestOwner {
  readonly id: string;
  readonly token: string;
}

let names = 0;

/** A handle that no other test of the file has. */
export function newHandle(kind: string): string {
  names += 1;
  return `${kind}_${names}_o`;
}

/** What the administrator and owners do at a gateway, which is read when they do it. */
export function ownersAt(relay: { readonly client: GatewayClient }) {
  const send = (token: string | undefined, method: string, path: string, body?: unknown) =>
    relay.client.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  const admin = (method: string, path: string, body?: unknown) =>
    send(adminToken, method, path, body);
  const createOwner = async (profile: Record<string, unknown>): Promise<TestOwner> => {
    const made = await admin('POST', '/v1/owners', profile);
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    const { id } = made.body.owner;
    const { body } = await admin('POST', `/v1/owners/${id}/tokens`, {});
    return { id, token: body.token };
  };
  return {
    send,
    admin,
    organization: (name = 'Acme') => createOwner({ kind: 'organization', name }),
    /** A member of the organizations. */
    person: (organizations: readonly string[] = []) => {
      const handle = newHandle('person');
      return createOwner({ kind: 'user', handle, display_name: handle, organizations });
    },
    /** An agent that the owner of the token makes. */
    createAgent: async (token: string, profile: Record<string, unknown> = {}) => {
      const body = { handle: newHandle('owned'), ...profile };
      const made = await send(token, 'POST', '/v1/agents', body);
      expect([made.status, made.body.error]).toEqual([201, undefined]);
      return { ...made.body.agent, token: made.body.token };
    },
    /** All that the owner of the token manages. */
    handlesOf: async (token: string): Promise<string[]> => {
      const { body } = await send(token, 'GET', '/v1/agents?limit=100');
      return body.agents.map(({ handle }) => handle);
    },
  };
}
