import { makeAgentToken } from '@relay/bus';
import { toTokenResource } from '@relay/domain';
import { createTokenRequestSchema, RelayError, validate } from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { readJsonBody } from '../http/body.ts';
import type { AgentRoute } from './agent-routes.ts';
import { addToken, recordToken, revokeToken } from './agent-tokens.ts';
import { findAgent } from './find-agent.ts';

interface TokenRoute {
  Params: { handle: string; tokenId: string };
}

/** The administrator's routes to the tokens of an agent. A token is shown once, when it is made. */
export function addTokenRoutes(
  server: FastifyInstance,
  { authentication, registry }: GatewayContext,
): void {
  server.post<AgentRoute>(
    '/v1/agents/:handle/tokens',
    authentication.forAdmin<AgentRoute>(async (request, reply) => {
      const agent = await findAgent(registry, request.params.handle);
      const { name = null } = validate(createTokenRequestSchema, readJsonBody(request));
      const token = makeAgentToken();
      const record = recordToken(token, name);
      await addToken(registry, agent, record);
      reply.code(201).header('cache-control', 'no-store');
      return { ...toTokenResource(record), token };
    }),
  );
  server.get<AgentRoute>(
    '/v1/agents/:handle/tokens',
    authentication.forAdmin<AgentRoute>(async (request) => {
      const { tokens } = await findAgent(registry, request.params.handle);
      return { tokens: tokens.map(toTokenResource) };
    }),
  );
  server.delete<TokenRoute>(
    '/v1/agents/:handle/tokens/:tokenId',
    authentication.forAdmin<TokenRoute>(async (request, reply) => {
      const { handle, tokenId } = request.params;
      const agent = await findAgent(registry, handle);
      const token = agent.tokens.find(({ id }) => id === tokenId);
      if (!token) throw new RelayError('notFound');
      await revokeToken(registry, agent, token);
      return reply.code(204).send();
    }),
  );
}
