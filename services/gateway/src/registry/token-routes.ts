import { makeAgentToken } from '@relay/bus';
import { toTokenResource } from '@relay/domain';
import {
  createTokenRequestSchema,
  newTokenSchema,
  RelayError,
  tokenResourceSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addAdministratorRoute, noContent } from '../http/rest-route.ts';
import { addToken, recordToken, revokeToken } from './agent-tokens.ts';
import { findAgent } from './find-agent.ts';

/** The administrator's routes to the tokens of an agent. A token is shown once, when it is made. */
export function addTokenRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  addAdministratorRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/agents/:handle/tokens',
      id: 'createToken',
      tag: 'Registry',
      summary: 'Make another token of an agent',
      body: createTokenRequestSchema,
      status: 201,
      answer: newTokenSchema,
      errors: ['agentNotFound', 'conflict'],
    },
    async ({ request, body, reply }) => {
      const agent = await findAgent(registry, request.params.handle);
      const { name = null } = body();
      const token = makeAgentToken();
      const record = recordToken(token, name);
      await addToken(registry, agent, record);
      reply.header('cache-control', 'no-store');
      return { ...toTokenResource(record), token };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/agents/:handle/tokens',
      id: 'listTokens',
      tag: 'Registry',
      summary: "An agent's tokens, without the tokens themselves",
      answer: z.object({ tokens: z.array(tokenResourceSchema) }),
      errors: ['agentNotFound'],
    },
    async ({ request }) => {
      const { tokens } = await findAgent(registry, request.params.handle);
      return { tokens: tokens.map(toTokenResource) };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'DELETE',
      path: '/v1/agents/:handle/tokens/:tokenId',
      id: 'revokeToken',
      tag: 'Registry',
      summary: 'Revoke a token',
      description: 'Its calls, streams and WebSockets end within a second.',
      status: 204,
      answer: noContent,
      errors: ['agentNotFound', 'notFound'],
    },
    async ({ request }) => {
      const { handle, tokenId } = request.params;
      const agent = await findAgent(registry, handle);
      const token = agent.tokens.find(({ id }) => id === tokenId);
      if (!token) throw new RelayError('notFound');
      await revokeToken(registry, agent, token);
    },
  );
}
