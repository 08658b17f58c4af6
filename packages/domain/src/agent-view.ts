import type {
  AgentMe,
  AgentRecord,
  AgentResource,
  ContactCard,
  HandleOwner,
  Owner,
  TokenRecord,
  TokenResource,
} from '@relay/protocol';

/** What the world may know of an agent. */
export function toContactCard(agent: AgentRecord): ContactCard {
  const { id, handle, display_name, subtitle, description, category } = agent;
  const { skills, visibility, image_url, owner } = agent;
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
    verified: owner?.kind === 'organization' && owner.verified,
    creator: null,
    owner: toHandleOwner(owner),
  };
}

/** The agent as the admin sees it. */
export function toAgentResource(agent: AgentRecord): AgentResource {
  const { accepts_tasks, created_at, updated_at } = agent;
  return { ...toContactCard(agent), accepts_tasks, created_at, updated_at };
}

/** The agent as it sees itself. */
export function toAgentMe({ id, handle, display_name, owner }: AgentRecord): AgentMe {
  return {
    id,
    handle,
    kind: 'agent',
    display_name,
    owner: toHandleOwner(owner),
    owner_people: [],
    calls_enabled: false,
  };
}

export function toTokenResource({ id, name, created_at }: TokenRecord): TokenResource {
  return { id, name, created_at };
}

function toHandleOwner(owner: Owner | null): HandleOwner | null {
  if (owner === null) return null;
  return owner.kind === 'organization'
    ? { kind: 'organization', name: owner.name, verified: owner.verified }
    : { kind: 'user', handle: owner.handle, display_name: owner.display_name };
}
