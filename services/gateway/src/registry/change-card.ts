import type { Registry } from '@relay/bus';
import { namesOf } from '@relay/domain';
import type { AgentRecord, ChangeContactCardRequest } from '@relay/protocol';
import { updateAgent } from './change-agent.ts';
import { laterThan } from './later-than.ts';

/**
 * Changes what is named.
 * @throws RelayError agentNotFound where it was deleted meanwhile
 */
export function changeCard(
  registry: Registry,
  agent: AgentRecord,
  { first_name, last_name, ...profile }: ChangeContactCardRequest,
): Promise<AgentRecord> {
  return updateAgent(registry, agent, (current) => {
    const known = namesOf(current);
    const first = first_name ?? known.first_name;
    const last = last_name === undefined ? known.last_name : last_name;
    return {
      ...current,
      ...profile,
      display_name: last === null ? first : `${first} ${last}`,
      last_name: last,
      updated_at: laterThan(current.updated_at),
    };
  });
}
