import type { Registry } from '@relay/bus';
import { manages } from '@relay/domain';
import { type AgentRecord, handleSchema, RelayError } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Manager } from '../http/authentication.ts';

/**
 * The agent of a handle as a request names it.
 * @throws RelayError agentNotFound
 */
export async function findAgent(registry: Registry, handle: string): Promise<AgentRecord> {
  const parsed = handleSchema.safeParse(handle);
  const agent = parsed.success ? await registry.agentByHandle(parsed.data) : undefined;
  if (!agent) throw new RelayError('agentNotFound');
  return agent;
}

const parametersSchema = z.object({ handle: z.string() });

/**
 * The agent that the path names, for who manages it; agents of others answer like unknown ones.
 * @throws RelayError agentNotFound
 */
export async function findManagedAgent(
  registry: Registry,
  manager: Manager,
  { params, record }: Pick<FastifyRequest, 'params' | 'record'>,
): Promise<AgentRecord> {
  const agent = await findAgent(registry, parametersSchema.parse(params).handle);
  const isManaged = manager.kind === 'administrator' || manages(manager.owner, agent);
  if (!isManaged) throw new RelayError('agentNotFound');
  record.handle = agent.handle;
  return agent;
}
