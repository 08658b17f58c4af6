import { makeAgentToken } from '@relay/bus';
import { toAgentResource } from '@relay/domain';
import {
  changeAgentRequestSchema,
  createAgentRequestSchema,
  handleSchema,
  isJsonObject,
  RelayError,
  validate,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { readJsonBody } from '../http/body.ts';
import { listAgentsQuerySchema, readAgentPage } from './agent-pages.ts';
import { recordToken } from './agent-tokens.ts';
import { changeProfile } from './change-agent.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent, freeHandle } from './delete-agent.ts';
import { findAgent } from './find-agent.ts';

export interface AgentRoute {
  Params: { handle: string };
}

const deleteAgentQuerySchema = z.strictObject({ free_handle: z.stringbool().default(false) });

/** The administrator's routes to the agents. */
export function addAgentRoutes(
  server: FastifyInstance,
  { authentication, registry }: GatewayContext,
): void {
  server.post(
    '/v1/agents',
    authentication.forAdmin(async (request, reply) => {
      const profile = validate(createAgentRequestSchema, readJsonBody(request));
      const token = makeAgentToken();
      const agent = await createAgent(registry, profile, recordToken(token, null));
      reply.code(201).header('cache-control', 'no-store');
      return { agent: toAgentResource(agent), token };
    }),
  );
  server.get(
    '/v1/agents',
    authentication.forAdmin(async (request) => {
      const query = validate(listAgentsQuerySchema, request.query);
      const { agents, nextCursor } = await readAgentPage(registry, query);
      return { agents: agents.map(toAgentResource), next_cursor: nextCursor };
    }),
  );
  server.get<AgentRoute>(
    '/v1/agents/:handle',
    authentication.forAdmin<AgentRoute>(async (request) => ({
      agent: toAgentResource(await findAgent(registry, request.params.handle)),
    })),
  );
  server.patch<AgentRoute>(
    '/v1/agents/:handle',
    authentication.forAdmin<AgentRoute>(async (request) => {
      const agent = await findAgent(registry, request.params.handle);
      const body = readJsonBody(request);
      refuseAcceptsTasks(body);
      const change = validate(changeAgentRequestSchema, body);
      return { agent: toAgentResource(await changeProfile(registry, agent, change)) };
    }),
  );
  server.delete<AgentRoute>(
    '/v1/agents/:handle',
    authentication.forAdmin<AgentRoute>(async (request, reply) => {
      const { free_handle } = validate(deleteAgentQuerySchema, request.query);
      const handle = handleSchema.safeParse(request.params.handle);
      if (!handle.success) throw new RelayError('agentNotFound');
      if (free_handle) await freeHandle(registry, handle.data);
      else await deleteAgent(registry, handle.data);
      return reply.code(204).send();
    }),
  );
}

/** Only the agent itself says whether it accepts tasks. */
function refuseAcceptsTasks(body: unknown): void {
  if (isJsonObject(body) && Object.hasOwn(body, 'accepts_tasks')) {
    const message = 'Only the agent itself can change accepts_tasks.';
    throw new RelayError({ error: 'forbidden', message });
  }
}
