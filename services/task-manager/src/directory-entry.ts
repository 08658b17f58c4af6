import type { RegistryChange } from '@relay/bus';
import { fold, isListed, isPublic, isVerified, profileWords } from '@relay/domain';
import type { AgentRecord } from '@relay/protocol';
import type { DirectoryEntry, PublicAgent } from '@relay/store';

/** Some characters are folded to many. */
const longestName = 255;

/** What a change of the registry says to the index of the directory. */
export function toDirectoryEntry(change: RegistryChange): DirectoryEntry {
  if ('ownerId' in change) {
    const { ownerId, owner } = change;
    return { ownerId, verified: isVerified(owner) };
  }
  const { agentId, agent } = change;
  return { agentId, shown: agent && isPublic(agent) ? toShown(agent) : undefined };
}

function toShown(agent: AgentRecord): PublicAgent {
  const { owner_id, category, display_name, created_at } = agent;
  const { words, skills } = profileWords(agent);
  return {
    isListed: isListed(agent),
    ownerId: owner_id ?? undefined,
    category: category ?? undefined,
    name: fold(display_name).slice(0, longestName),
    createdAt: Date.parse(created_at),
    words: [...words, ...skills.map((skill) => [skill, 1] as const)],
  };
}
