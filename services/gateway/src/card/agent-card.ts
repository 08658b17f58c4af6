import type { OwnedAgent } from '@relay/domain';
import type { AgentCard, AgentRecord, OwnerRecord } from '@relay/protocol';

const modes = {
  tasks: {
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
  },
  chat: {
    defaultInputModes: ['text/plain', 'application/a2ui+json'],
    defaultOutputModes: ['text/plain', 'application/json', 'application/a2ui+json'],
  },
} as const;

/** Where an agent is reached, in the form in which it was asked for. */
export interface AgentAddress {
  readonly origin: string;
  readonly url: string;
}

/** The A2A card of an agent, built from its profile and its owner's (contract §3.2). */
export function toAgentCard(owned: OwnedAgent, { origin, url }: AgentAddress): AgentCard {
  const { agent, owner } = owned;
  const provider = toProvider(owner, origin);
  return {
    name: agent.display_name,
    description: describeAgent(agent),
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    ...(provider ? { provider } : {}),
    version: String(lastChangeOf(owned) * 1_000),
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: {
      // Stock SDKs send their token only for a scheme of this name.
      relay: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'Relay agent token' } },
    },
    securityRequirements: [{ schemes: { relay: { list: [] } } }],
    ...(agent.accepts_tasks ? modes.tasks : modes.chat),
    skills: agent.skills,
    ...(agent.image_url === null ? {} : { iconUrl: agent.image_url }),
  };
}

/** When what the card shows was changed last, in milliseconds since the epoch. */
export function lastChangeOf({ agent, owner }: OwnedAgent): number {
  return Math.max(Date.parse(agent.updated_at), owner ? Date.parse(owner.updated_at) : 0);
}

/** The subtitle and the description, those that there are. */
export function describeAgent({ subtitle, description }: AgentRecord): string {
  return [subtitle, description].filter((text) => text !== null).join('\n\n');
}

/** An organization that has a website, or a person. */
function toProvider(owner: OwnerRecord | undefined, origin: string): AgentCard['provider'] {
  if (owner === undefined) return undefined;
  if (owner.kind === 'user') {
    return { organization: owner.display_name, url: `${origin}/${owner.handle}` };
  }
  return owner.website === null ? undefined : { organization: owner.name, url: owner.website };
}
