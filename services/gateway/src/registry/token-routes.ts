import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addManagedAgentRoute } from './managed-agent-route.ts';
import { createToken, listTokens, revokeListed, tokenRoutes } from './token-answers.ts';
import { issuerOf, tokensOfAgent } from './token-list.ts';

/** The routes to an agent's tokens, for those who manage it. */
export function addTokenRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  addManagedAgentRoute(
    server,
    context,
    {
      ...tokenRoutes.create,
      path: '/v1/agents/:handle/tokens',
      id: 'createToken',
      tag: 'Registry',
      summary: 'Make another token of an agent',
      errors: ['conflict'],
    },
    ({ manager, agent, body, reply }) => {
      const { name = null } = body();
      const order = { kind: 'agent', name, issuedBy: issuerOf(manager) } as const;
      return createToken(registry, tokensOfAgent(registry, agent), order, reply);
    },
  );
  addManagedAgentRoute(
    server,
    context,
    {
      ...tokenRoutes.list,
      path: '/v1/agents/:handle/tokens',
      id: 'listTokens',
      tag: 'Registry',
      summary: "An agent's tokens, without the tokens themselves",
      errors: [],
    },
    ({ agent }) => listTokens(tokensOfAgent(registry, agent)),
  );
  addManagedAgentRoute(
    server,
    context,
    {
      ...tokenRoutes.revoke,
      path: '/v1/agents/:handle/tokens/:tokenId',
      id: 'revokeToken',
      tag: 'Registry',
      summary: "Revoke an agent's token",
      errors: ['notFound'],
    },
    ({ agent, request }) =>
      revokeListed(registry, tokensOfAgent(registry, agent), request.params.tokenId),
  );
}
