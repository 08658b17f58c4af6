import { hashToken, type Registry } from '@relay/bus';
import { type AgentRecord, RelayError, type TokenRecord, timestampAt } from '@relay/protocol';
import { v7 as uuidv7 } from 'uuid';
import { updateAgent } from './change-agent.ts';

const maximumTokens = 50;

/** What is kept of a token. */
export function recordToken(token: string, name: string | null): TokenRecord {
  return { id: uuidv7(), name, created_at: timestampAt(Date.now()), sha256: hashToken(token) };
}

/**
 * Makes a token good: listed first, so that none is good that nobody can see and revoke.
 * @throws RelayError conflict where the agent has too many
 */
export async function addToken(
  registry: Registry,
  agent: AgentRecord,
  token: TokenRecord,
): Promise<void> {
  await updateAgent(registry, agent, (current) => {
    if (current.tokens.length >= maximumTokens) {
      const message = `An agent has at most ${maximumTokens} tokens. Revoke one first.`;
      throw new RelayError({ error: 'conflict', message });
    }
    return { ...current, tokens: [...current.tokens, token] };
  });
  await registry.tokens.create(token.sha256, { agentId: agent.id });
}

/** Revokes a token: not good any more first, then not listed. */
export async function revokeToken(
  registry: Registry,
  agent: AgentRecord,
  { sha256 }: TokenRecord,
): Promise<void> {
  await registry.tokens.delete(sha256);
  await updateAgent(registry, agent, (current) => ({
    ...current,
    tokens: current.tokens.filter((token) => token.sha256 !== sha256),
  }));
}
