import type { Registry } from '@relay/bus';
import { type AgentRecord, handleSchema, RelayError } from '@relay/protocol';

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
