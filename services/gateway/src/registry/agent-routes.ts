import { makeToken } from '@relay/bus';
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
import type { Manager } from '../http/authentication.ts';
import { addManagerRoute, noContent } from '../http/rest-route.ts';
import { pageQuerySchema, readAgentPage } from './agent-pages.ts';
import { changeProfile } from './change-agent.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent, freeHandle } from './delete-agent.ts';
import { findManagedAgent } from './find-agent.ts';
import { ListedKeys } from './listed-keys.ts';
import { addManagedAgentRoute } from './managed-agent-route.ts';
import { checkNewOwner, ownerOfNewAgent } from './owner-choice.ts';
import { issuerOf, recordToken } from './token-list.ts';

const agentAnswerSchema = z.object({ agent: agentResourceSchema });

/** The routes to agents, for the administrator and for those who own them. */
export function addAgentRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  const lists = new ListedKeys();
  addManagerRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/agents',
      id: 'createAgent',
      tag: 'Registry',
      summary: 'Register an agent, with its first token',
      description: 'A person may also make one for an organization of which it is a member.',
      body: createAgentRequestSchema,
      status: 201,
      answer: z.object({ agent: agentResourceSchema, token: tokenSchema }),
      errors: ['conflict'],
    },
    async ({ manager, body, reply }) => {
      const profile = body();
      const owner = await ownerOfNewAgent(registry, manager, profile.owner_id);
      const token = makeToken('agent');
      const record = recordToken(token, { name: null, issuedBy: issuerOf(manager) });
      const owned = { ...profile, owner_id: owner?.id ?? null };
      const agent = await createAgent(registry, owned, record);
      reply.header('cache-control', 'no-store');
      return { agent: toAgentResource({ agent, owner }), token };
    },
  );
  addManagerRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/agents',
      id: 'listAgents',
      tag: 'Registry',
      summary: 'The agents that the caller manages, by handle',
      description: "All agents for the administrator; for a person also its organizations'.",
      query: pageQuerySchema,
      answer: z.object({
        agents: z.array(agentResourceSchema),
        next_cursor: z.string().nullable().meta({ description: '`null` at the end.' }),
      }),
      errors: [],
    },
    async ({ manager, query }) => {
      const { agents, nextCursor } = await readAgentPage(registry, lists, manager, query());
      return { agents: agents.map(toAgentResource), next_cursor: nextCursor };
    },
  );
  addManagedAgentRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/agents/:handle',
      id: 'getAgent',
      tag: 'Registry',
      summary: 'One agent',
      answer: agentAnswerSchema,
      errors: [],
    },
    async ({ agent }) => {
      const owner = await registry.ownerOf(agent);
      return { agent: toAgentResource({ agent, owner }) };
    },
  );
  addManagedAgentRoute(
    server,
    context,
    {
      method: 'PATCH',
      path: '/v1/agents/:handle',
      id: 'changeAgent',
      tag: 'Registry',
      summary: "Change an agent's profile",
      description:
        'What is named changes, `null` clears. Only the agent itself accepts tasks, and only the administrator gives it to another owner.',
      body: changeAgentRequestSchema,
      answer: agentAnswerSchema,
      errors: [],
    },
    async ({ manager, agent, json, body }) => {
      refuseAcceptsTasks(json());
      const change = body();
      await checkNewOwner(registry, manager, change.owner_id);
      const changed = await changeProfile(registry, agent, change);
      const owner = await registry.ownerOf(changed);
      return { agent: toAgentResource({ agent: changed, owner }) };
    },
  );
  addManagerRoute(
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
          description:
            'Whether the handle may be given again, for the administrator alone. Unless said, it stays taken.',
        }),
      }),
      status: 204,
      answer: noContent,
      errors: ['agentNotFound', 'conflict'],
    },
    async ({ manager, request, query }) => {
      if (query().free_handle) {
        refuseOwner(manager, 'Only the administrator can free a handle.');
        const parsed = handleSchema.safeParse(request.params.handle);
        if (!parsed.success) throw new RelayError('agentNotFound');
        await freeHandle(context, parsed.data);
      } else {
        await deleteAgent(context, await findManagedAgent(registry, manager, request));
      }
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

function refuseOwner({ kind }: Manager, message: string): void {
  if (kind === 'owner') throw new RelayError({ error: 'forbidden', message });
}
