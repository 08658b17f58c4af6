import type { Registry } from '@relay/bus';
import {
  type AgentRecord,
  agentIdSchema,
  type CreateAgentRequest,
  type TokenRecord,
  timestampAt,
} from '@relay/protocol';
import { v7 as uuidv7 } from 'uuid';
import { isReserved } from '../root-paths.ts';
import { handleTaken } from './handle-taken.ts';
import { dropOwnedAgent, indexOwnedAgent } from './owned-agents.ts';

/**
 * Registers an agent with its first token. The agent's record is written first; its handle is the commit,
 * and only then the token becomes good.
 * @throws RelayError conflict where the handle is taken
 */
export async function createAgent(
  registry: Registry,
  profile: CreateAgentRequest,
  token: TokenRecord,
): Promise<AgentRecord> {
  if (isReserved(profile.handle)) throw handleTaken();
  const now = timestampAt(Date.now());
  const agent: AgentRecord = {
    ...profile,
    id: agentIdSchema.parse(uuidv7()),
    display_name: profile.display_name ?? profile.handle,
    last_name: null,
    owner_id: profile.owner_id ?? null,
    accepts_tasks: false,
    push_configs_since: null,
    has_contact_rules: false,
    created_at: now,
    updated_at: now,
    tokens: [token],
  };
  await registry.agents.create(agent.id, agent);
  if (agent.owner_id !== null) await indexOwnedAgent(registry, agent.owner_id, agent);
  const committed = await registry.handles.create(agent.handle, { agentId: agent.id });
  if (committed === undefined) {
    await registry.agents.delete(agent.id);
    await dropOwnedAgent(registry, agent);
    throw handleTaken();
  }
  await registry.tokens.create(token.sha256, { agentId: agent.id });
  registry.forget(agent);
  return agent;
}
