import type { AgentCard, AgentRecord, Owner } from '@relay/protocol';

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

/** The A2A card of an agent, built from its profile (contract §3.2). */
export function toAgentCard(agent: AgentRecord, { origin, url }: AgentAddress): AgentCard {
  const provider = toProvider(agent.owner, origin);
  return {
    name: agent.display_name,
    description: describeAgent(agent),
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    ...(provider ? { provider } : {}),
    version: String(Date.parse(agent.updated_at) * 1_000),
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

/** The subtitle and the description, those that there are. */
export function describeAgent({ subtitle, description }: AgentRecord): string {
  return [subtitle, description].filter((text) => text !== null).join('\n\n');
}

/** An organization that has a website, or a person. */
function toProvider(owner: Owner | null, origin: string): AgentCard['provider'] {
  if (owner?.kind === 'user') {
    return { organization: owner.display_name, url: `${origin}/${owner.handle}` };
  }
  return owner?.website === undefined
    ? undefined
    : { organization: owner.name, url: owner.website };
}
