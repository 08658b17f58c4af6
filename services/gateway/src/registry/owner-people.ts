import type { AuthenticatedAgent, Registry } from '@relay/bus';
import { manages } from '@relay/domain';
import type { PersonRecord } from '@relay/protocol';

/**
 * The people behind an agent (contract §1.3): the person who owns it; for an organization's agent the member
 * who made the token that it uses.
 */
export async function peopleBehind(
  registry: Registry,
  { agent, owner, tokenHash }: AuthenticatedAgent,
): Promise<readonly PersonRecord[]> {
  if (owner?.kind === 'user') return [owner];
  const issuedBy = agent.tokens.find(({ sha256 }) => sha256 === tokenHash)?.issued_by;
  const issuer = issuedBy ? await registry.ownerById(issuedBy) : undefined;
  return issuer?.kind === 'user' && manages(issuer, agent) ? [issuer] : [];
}
