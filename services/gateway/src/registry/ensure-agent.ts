import { hashToken, type Registry } from '@relay/bus';
import {
  type AgentId,
  type AgentRecord,
  type CreateAgentRequest,
  RelayError,
} from '@relay/protocol';
import { createAgent } from './create-agent.ts';
import { addToken, recordToken, revokeToken, tokensOfAgent } from './token-list.ts';

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
  await refuseForeignToken(registry, token, agentId);
  const agent = agentId ? (await registry.agents.get(agentId))?.value : undefined;
  const record = recordToken(token, { name: tokenName, issuedBy: null });
  if (!agent) return createAgent(registry, profile, record);
  const list = tokensOfAgent(registry, agent);
  const namesakes = agent.tokens.filter(({ name }) => name === tokenName);
  for (const known of namesakes) {
    if (known.sha256 !== record.sha256) await revokeToken(registry, list, known);
  }
  // It may be listed and yet not good, where its registration broke off.
  const isListed = agent.tokens.some(({ sha256 }) => sha256 === record.sha256);
  if (isListed) await registry.tokens.create(record.sha256, list.holder);
  else await addToken(registry, list, record);
  return agent;
}

async function refuseForeignToken(
  registry: Registry,
  token: string,
  agentId: AgentId | null | undefined,
): Promise<void> {
  const holder = (await registry.tokens.get(hashToken(token)))?.value;
  const isForeign = holder && ('ownerId' in holder || holder.agentId !== agentId);
  if (!isForeign) return;
  throw new RelayError({ error: 'conflict', message: "The token is another agent's." });
}
