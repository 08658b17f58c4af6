import type { AgentRecord } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import type { Caller } from '../http/authentication.ts';
import { findAgent } from '../registry/find-agent.ts';

export interface AddressRoute {
  Params: { handle: string };
}

export interface Parties {
  readonly caller: Caller;
  readonly callee: AgentRecord;
}

/**
 * Who calls, and whom: the token is checked before the handle.
 * @throws RelayError unauthenticated, agentNotFound
 */
export async function requireParties(
  { authentication, registry }: GatewayContext,
  request: FastifyRequest<AddressRoute>,
): Promise<Parties> {
  const caller = await authentication.requireAgentAtAddress(request);
  const callee = await findAgent(registry, request.params.handle);
  request.record.handle = callee.handle;
  return { caller, callee };
}
