import type { Registry } from '@relay/bus';
import { actsFor } from '@relay/domain';
import { type AgentRecord, agentIdSchema, type OwnerId, type OwnerRecord } from '@relay/protocol';

/**
 * The index of agents by owner. An entry is written before its agent's record and stays when the agent gets
 * another owner, so it says only where to look: the agent's record says who owns it.
 */

type IndexedAgent = Pick<AgentRecord, 'id' | 'handle'>;

export async function indexOwnedAgent(
  registry: Registry,
  ownerId: OwnerId,
  agent: IndexedAgent,
): Promise<void> {
  await registry.owned.create(keyOf(ownerId, agent), {});
}

/** For an agent that is deleted. */
export async function dropOwnedAgent(registry: Registry, agent: AgentRecord): Promise<void> {
  if (agent.owner_id !== null) await registry.owned.delete(keyOf(agent.owner_id, agent));
}

/** The handles of all agents that the owner manages, and perhaps of some that it did. */
export async function readOwnedHandles(registry: Registry, owner: OwnerRecord): Promise<string[]> {
  const keys = await Promise.all(actsFor(owner).map((id) => registry.owned.keys(`${id}.`)));
  return [...new Set(keys.flat().map((key) => partsOf(key).handle))];
}

/** Whether an owner still owns an agent, as the registry has it now. */
export async function ownsAnAgent(registry: Registry, ownerId: OwnerId): Promise<boolean> {
  for (const key of await registry.owned.keys(`${ownerId}.`)) {
    const agent = await registry.agents.get(agentIdSchema.parse(partsOf(key).agentId));
    if (agent?.value.owner_id === ownerId) return true;
  }
  return false;
}

function keyOf(ownerId: OwnerId, { id, handle }: IndexedAgent): string {
  return `${ownerId}.${handle}.${id}`;
}

function partsOf(key: string) {
  const [, handle = '', agentId = ''] = key.split('.');
  return { handle, agentId };
}
