import type { Registry } from '@relay/bus';
import {
  type AgentRecord,
  agentIdSchema,
  type CreateAgentRequest,
  RelayError,
  type TokenRecord,
  timestampAt,
} from '@relay/protocol';
import { v7 as uuidv7 } from 'uuid';
import { isReserved } from '../root-paths.ts';

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
    accepts_tasks: false,
    created_at: now,
    updated_at: now,
    tokens: [token],
  };
  await registry.agents.create(agent.id, agent);
  const committed = await registry.handles.create(agent.handle, { agentId: agent.id });
  if (committed === undefined) {
    await registry.agents.delete(agent.id);
    throw handleTaken();
  }
  await registry.tokens.create(token.sha256, { agentId: agent.id });
  registry.forget(agent);
  return agent;
}

function handleTaken(): RelayError {
  return new RelayError({ error: 'conflict', message: 'This handle is taken.' });
}
