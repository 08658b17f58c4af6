import type {
  AgentMe,
  AgentResource,
  ContactCard,
  PersonRecord,
  TokenRecord,
  TokenResource,
} from '@relay/protocol';
import { isVerified, toHandleOwner, toOwnerPerson } from './owner-view.ts';
import type { OwnedAgent } from './ownership.ts';

/** What the world may know of an agent. */
export function toContactCard({ agent, owner }: OwnedAgent): ContactCard {
  const { id, handle, display_name, subtitle, description, category } = agent;
  const { skills, visibility, image_url } = agent;
  return {
    id,
    handle,
    display_name,
    kind: 'agent',
    name: display_name,
    subtitle,
    description,
    category,
    skills,
    visibility,
    image_url,
    image_color: null,
    verified: isVerified(owner),
    creator:
      owner?.kind === 'organization'
        ? { kind: 'organization', name: owner.name, handle: null }
        : null,
    owner: toHandleOwner(owner),
  };
}

/** The agent as the administrator and its owner see it. */
export function toAgentResource({ agent, owner }: OwnedAgent): AgentResource {
  const { extended_skills, input_modes, output_modes } = agent;
  const { people_can_message, agents_can_message } = agent;
  const { accepts_tasks, created_at, updated_at } = agent;
  return {
    ...toContactCard({ agent, owner }),
    // An owner that was deleted meanwhile owns nothing.
    owner_id: owner?.id ?? null,
    extended_skills,
    input_modes,
    output_modes,
    people_can_message,
    agents_can_message,
    accepts_tasks,
    created_at,
    updated_at,
  };
}

/** The agent as it sees itself, with the people behind it. */
export function toAgentMe({ agent, owner }: OwnedAgent, people: readonly PersonRecord[]): AgentMe {
  const { id, handle, display_name } = agent;
  return {
    id,
    handle,
    kind: 'agent',
    display_name,
    owner: toHandleOwner(owner),
    owner_people: people.map(toOwnerPerson),
    calls_enabled: false,
  };
}

export function toTokenResource({ id, name, created_at }: TokenRecord): TokenResource {
  return { id, name, created_at };
}
