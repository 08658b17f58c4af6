import type { Registry } from '@relay/bus';
import { type AgentRecord, type ChangeAgentRequest, RelayError } from '@relay/protocol';
import { laterThan } from './later-than.ts';
import { indexOwnedAgent } from './owned-agents.ts';

/**
 * Changes an agent's profile. An owner that it names is there.
 * @throws RelayError agentNotFound where it was deleted meanwhile
 */
export async function changeProfile(
  registry: Registry,
  agent: AgentRecord,
  change: ChangeAgentRequest,
): Promise<AgentRecord> {
  if (change.owner_id) await indexOwnedAgent(registry, change.owner_id, agent);
  return updateAgent(registry, agent, (current) => ({
    ...current,
    ...change,
    updated_at: laterThan(current.updated_at),
  }));
}

/** The agent's own choice; it shows on its card. */
export async function setAcceptsTasks(
  registry: Registry,
  agent: AgentRecord,
  acceptsTasks: boolean,
): Promise<void> {
  await updateAgent(registry, agent, (current) =>
    current.accepts_tasks === acceptsTasks
      ? current
      : { ...current, accepts_tasks: acceptsTasks, updated_at: laterThan(current.updated_at) },
  );
}

/** @throws RelayError agentNotFound */
export async function updateAgent(
  registry: Registry,
  { id }: AgentRecord,
  update: (current: AgentRecord) => AgentRecord,
): Promise<AgentRecord> {
  const entry = await registry.agents.change(id, (current) => current && update(current));
  if (!entry) throw new RelayError('agentNotFound');
  registry.forget(entry.value);
  return entry.value;
}
