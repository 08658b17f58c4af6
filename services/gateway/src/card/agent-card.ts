import { modesOf, type OwnedAgent } from '@relay/domain';
import type { AgentCard, AgentRecord, OwnerRecord } from '@relay/protocol';
import type { AgentAddress } from './agent-address.ts';

/** What answers at every address, the preferred one first. HTTP+JSON of 0.3 is below the address's `/v1`. */
const interfaces = [
  { protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  { protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  { protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  { protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
] as const;

/** The A2A card of an agent, built from its profile and its owner's (contract §3.2). */
export function toAgentCard(owned: OwnedAgent, { origin, url, hasPush }: AgentAddress): AgentCard {
  const { agent, owner } = owned;
  const provider = toProvider(owner, origin);
  const { input, output } = modesOf(agent);
  return {
    name: agent.display_name,
    description: describeAgent(agent),
    supportedInterfaces: interfaces.map((answering) => ({ url, ...answering })),
    ...(provider ? { provider } : {}),
    version: String(lastChangeOf(owned) * 1_000),
    capabilities: {
      streaming: true,
      pushNotifications: hasPush,
      extendedAgentCard: agent.extended_skills.length > 0,
    },
    securitySchemes: {
      // Stock SDKs send their token only for a scheme of this name.
      relay: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'Relay agent token' } },
    },
    securityRequirements: [{ schemes: { relay: { list: [] } } }],
    defaultInputModes: input,
    defaultOutputModes: output,
    skills: agent.skills,
    ...(agent.image_url === null ? {} : { iconUrl: agent.image_url }),
  };
}

/** The card for agents that ask for more; undefined where there is no more. */
export function toExtendedCard(owned: OwnedAgent, address: AgentAddress): AgentCard | undefined {
  const { extended_skills } = owned.agent;
  if (extended_skills.length === 0) return undefined;
  const card = toAgentCard(owned, address);
  return { ...card, skills: [...card.skills, ...extended_skills] };
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
