import { hashToken, type Registry } from '@relay/bus';
import { type AgentRecord, type CreateAgentRequest, RelayError } from '@relay/protocol';
import { addToken, recordToken, revokeToken } from './agent-tokens.ts';
import { createAgent } from './create-agent.ts';

export interface EnsuredAgent extends CreateAgentRequest {
  readonly token: string;
  /** Tells the tokens of this registration from others that the agent has. */
  readonly tokenName: string;
}

/**
 * Makes sure that the agent is there and that the given token is good. An agent that is there keeps its
 * profile; its other tokens of the same name are revoked.
 * @throws RelayError conflict where the agent was deleted, or the token is another agent's
 */
export async function ensureAgent(
  registry: Registry,
  { token, tokenName, ...profile }: EnsuredAgent,
): Promise<AgentRecord> {
  const { agentId } = (await registry.handles.get(profile.handle))?.value ?? {};
  const agent = agentId ? (await registry.agents.get(agentId))?.value : undefined;
  if (!agent) return createAgent(registry, profile, recordToken(token, tokenName));
  const sha256 = hashToken(token);
  const older = agent.tokens.filter((known) => known.name === tokenName && known.sha256 !== sha256);
  for (const known of older) await revokeToken(registry, agent, known);
  await ensureToken(registry, agent, token, tokenName);
  return agent;
}

/** The token may be listed and yet not good, where its registration broke off. */
async function ensureToken(
  registry: Registry,
  agent: AgentRecord,
  token: string,
  tokenName: string,
): Promise<void> {
  const sha256 = hashToken(token);
  const isListed = agent.tokens.some((known) => known.sha256 === sha256);
  if (isListed) await registry.tokens.create(sha256, { agentId: agent.id });
  else await addToken(registry, agent, recordToken(token, tokenName));
  const owner = await registry.tokens.get(sha256);
  if (owner?.value.agentId !== agent.id) {
    throw new RelayError({ error: 'conflict', message: "The token is another agent's." });
  }
}
