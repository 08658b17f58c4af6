import type {
  AgentRecord,
  ContactCardItem,
  DirectoryAgent,
  FoundAgent,
  OwnerRecord,
} from '@relay/protocol';
import { modesOf } from '../agent-modes.ts';
import { toContactCard } from '../agent-view.ts';
import { isVerified } from '../owner-view.ts';
import type { OwnedAgent } from '../ownership.ts';

/** Whether an agent is found by a task, or by what it does. */
export function isPublic({ visibility }: AgentRecord): boolean {
  return visibility === 'public';
}

/** Whether it stands in the directory, which is for people, too (contract §1.6). */
export function isListed(agent: AgentRecord): boolean {
  return isPublic(agent) && agent.people_can_message;
}

/** The agent as the directory shows it to everyone. */
export function toDirectoryAgent({ agent, owner }: OwnedAgent): DirectoryAgent {
  const { id, handle, display_name, subtitle, description, category, skills } = agent;
  const { accepts_tasks, image_url, created_at } = agent;
  const { input, output } = modesOf(agent);
  return {
    id,
    handle,
    name: display_name,
    subtitle,
    description,
    category,
    skills,
    accepts_tasks,
    input_modes: input,
    output_modes: output,
    image_url,
    image_color: null,
    accent_color: null,
    verified: isVerified(owner),
    provider: toProvider(owner),
    rating: { average: null, count: 0 },
    created_at,
  };
}

/** The agent as others find it. */
export function toFoundAgent(owned: OwnedAgent): FoundAgent {
  const { input, output } = modesOf(owned.agent);
  return {
    ...toContactCard(owned),
    accepts_tasks: owned.agent.accepts_tasks,
    input_modes: input,
    output_modes: output,
  };
}

/** The agent's card as it sees it itself. */
export function toContactCardItem({ agent, owner }: OwnedAgent): ContactCardItem {
  const { handle, subtitle, description, category, skills } = agent;
  const { input_modes, output_modes, visibility, image_url } = agent;
  return {
    handle,
    kind: 'agent',
    ...namesOf(agent),
    subtitle,
    description,
    category,
    skills,
    input_modes,
    output_modes,
    visibility,
    image_url,
    image_color: null,
    is_active: true,
    is_verified: isVerified(owner),
  };
}

/** A name that was given in two parts, unless it was given as a whole since. */
export function namesOf({ display_name, last_name }: AgentRecord) {
  const ending = ` ${last_name}`;
  return last_name !== null && display_name.endsWith(ending)
    ? { first_name: display_name.slice(0, -ending.length), last_name }
    : { first_name: display_name, last_name: null };
}

function toProvider(owner: OwnerRecord | undefined): DirectoryAgent['provider'] {
  if (owner === undefined) return { name: null, url: null, verified: false };
  return owner.kind === 'organization'
    ? { name: owner.name, url: owner.website, verified: owner.verified }
    : { name: owner.display_name, url: null, verified: false };
}
