import { makeAgentToken } from '@relay/bus';
import { toAgentResource } from '@relay/domain';
import {
  agentResourceSchema,
  changeAgentRequestSchema,
  createAgentRequestSchema,
  handleSchema,
  isJsonObject,
  RelayError,
  tokenSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addAdministratorRoute, noContent } from '../http/rest-route.ts';
import { listAgentsQuerySchema, readAgentPage } from './agent-pages.ts';
import { recordToken } from './agent-tokens.ts';
import { changeProfile } from './change-agent.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent, freeHandle } from './delete-agent.ts';
import { findAgent } from './find-agent.ts';

const agentAnswerSchema = z.object({ agent: agentResourceSchema });

/** The administrator's routes to the agents. */
export function addAgentRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  addAdministratorRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/agents',
      id: 'createAgent',
      tag: 'Registry',
      summary: 'Register an agent, with its first token',
      body: createAgentRequestSchema,
      status: 201,
      answer: z.object({ agent: agentResourceSchema, token: tokenSchema }),
      errors: ['conflict'],
    },
    async ({ body, reply }) => {
      const profile = body();
      const token = makeAgentToken();
      const agent = await createAgent(registry, profile, recordToken(token, null));
      reply.header('cache-control', 'no-store');
      return { agent: toAgentResource(agent), token };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/agents',
      id: 'listAgents',
      tag: 'Registry',
      summary: 'All agents, by handle',
      query: listAgentsQuerySchema,
      answer: z.object({
        agents: z.array(agentResourceSchema),
        next_cursor: z.string().nullable().meta({ description: '`null` at the end.' }),
      }),
      errors: [],
    },
    async ({ query }) => {
      const { agents, nextCursor } = await readAgentPage(registry, query());
      return { agents: agents.map(toAgentResource), next_cursor: nextCursor };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/agents/:handle',
      id: 'getAgent',
      tag: 'Registry',
      summary: 'One agent',
      answer: agentAnswerSchema,
      errors: ['agentNotFound'],
    },
    async ({ request }) => ({
      agent: toAgentResource(await findAgent(registry, request.params.handle)),
    }),
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'PATCH',
      path: '/v1/agents/:handle',
      id: 'changeAgent',
      tag: 'Registry',
      summary: "Change an agent's profile",
      description: 'What is named changes, `null` clears. Only the agent itself accepts tasks.',
      body: changeAgentRequestSchema,
      answer: agentAnswerSchema,
      errors: ['agentNotFound'],
    },
    async ({ request, json, body }) => {
      const agent = await findAgent(registry, request.params.handle);
      refuseAcceptsTasks(json());
      return { agent: toAgentResource(await changeProfile(registry, agent, body())) };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'DELETE',
      path: '/v1/agents/:handle',
      id: 'deleteAgent',
      tag: 'Registry',
      summary: 'Delete an agent, and revoke its tokens',
      description: 'Its open tasks stay as they are.',
      query: z.strictObject({
        free_handle: z.stringbool().default(false).meta({
          description: 'Whether the handle may be given again. Unless said, it stays taken.',
        }),
      }),
      status: 204,
      answer: noContent,
      errors: ['agentNotFound', 'conflict'],
    },
    async ({ request, query }) => {
      const { free_handle } = query();
      const handle = handleSchema.safeParse(request.params.handle);
      if (!handle.success) throw new RelayError('agentNotFound');
      if (free_handle) await freeHandle(registry, handle.data);
      else await deleteAgent(registry, handle.data);
    },
  );
}

/** Only the agent itself says whether it accepts tasks. */
function refuseAcceptsTasks(body: unknown): void {
  if (isJsonObject(body) && Object.hasOwn(body, 'accepts_tasks')) {
    const message = 'Only the agent itself can change accepts_tasks.';
    throw new RelayError({ error: 'forbidden', message });
  }
}
