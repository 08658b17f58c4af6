import { hashToken, type Registry, type TokenHolder } from '@relay/bus';
import {
  type AgentRecord,
  type OwnerId,
  type OwnerRecord,
  RelayError,
  type TokenRecord,
  timestampAt,
} from '@relay/protocol';
import { v7 as uuidv7 } from 'uuid';
import type { Manager } from '../http/authentication.ts';
import { updateAgent } from './change-agent.ts';
import { updateOwner } from './change-owner.ts';

const maximumTokens = 50;

type Change = (tokens: readonly TokenRecord[]) => TokenRecord[];

/** The tokens of an agent or of an owner. */
export interface TokenList {
  readonly holder: TokenHolder;
  readonly tokens: readonly TokenRecord[];
  readonly change: (change: Change) => Promise<unknown>;
}

export function tokensOfAgent(registry: Registry, agent: AgentRecord): TokenList {
  return {
    holder: { agentId: agent.id },
    tokens: agent.tokens,
    change: (change) =>
      updateAgent(registry, agent, (current) => ({ ...current, tokens: change(current.tokens) })),
  };
}

export function tokensOfOwner(registry: Registry, owner: OwnerRecord): TokenList {
  return {
    holder: { ownerId: owner.id },
    tokens: owner.tokens,
    change: (change) =>
      updateOwner(registry, owner.id, (current) => ({
        ...current,
        tokens: change(current.tokens),
      })),
  };
}

interface NewToken {
  readonly name: string | null;
  /** `null`: the administrator. */
  readonly issuedBy: OwnerId | null;
}

/** Who a token that the manager makes is issued by. */
export function issuerOf(manager: Manager): OwnerId | null {
  return manager.kind === 'owner' ? manager.owner.id : null;
}

/** What is kept of a token. */
export function recordToken(token: string, { name, issuedBy }: NewToken): TokenRecord {
  const created_at = timestampAt(Date.now());
  return { id: uuidv7(), name, created_at, sha256: hashToken(token), issued_by: issuedBy };
}

/**
 * Makes a token good: listed first, so that none is good that nobody can see and revoke.
 * @throws RelayError conflict where there are too many
 */
export async function addToken(
  registry: Registry,
  { holder, change }: TokenList,
  token: TokenRecord,
): Promise<void> {
  await change((tokens) => {
    if (tokens.length >= maximumTokens) {
      const message = `There may be at most ${maximumTokens} tokens. Revoke one first.`;
      throw new RelayError({ error: 'conflict', message });
    }
    return [...tokens, token];
  });
  await registry.tokens.create(token.sha256, holder);
}

/** Revokes a token: not good any more first, then not listed. */
export async function revokeToken(
  registry: Registry,
  { change }: TokenList,
  { sha256 }: TokenRecord,
): Promise<void> {
  await registry.tokens.delete(sha256);
  await change((tokens) => tokens.filter((token) => token.sha256 !== sha256));
}
