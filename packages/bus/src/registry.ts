import { randomBytes } from 'node:crypto';
import {
  type AgentId,
  type AgentRecord,
  agentIdSchema,
  agentRecordSchema,
  type Handle,
} from '@relay/protocol';
import { z } from 'zod';
import type { Bucket } from './bucket.ts';
import type { Bus } from './bus.ts';
import { RegistryCache } from './registry-cache.ts';
import { TokenSessions } from './token-sessions.ts';
import { hashToken } from './tokens.ts';

/** `null`: the agent was deleted. Its handle stays taken, or another could pose as it. */
export const handleRecordSchema = z.object({ agentId: agentIdSchema.nullable() });
export type HandleRecord = z.infer<typeof handleRecordSchema>;

export const tokenOwnerSchema = z.object({ agentId: agentIdSchema });
export type TokenOwner = z.infer<typeof tokenOwnerSchema>;

const recheckedAtOnce = 100;

const secretSchema = z.object({ base64: z.base64() });

/** An agent that showed a good token. */
export interface AuthenticatedAgent {
  readonly agent: AgentRecord;
  readonly tokenHash: string;
}

/** Agents, handles and tokens, as every service reads them. Entries are believed for half a second. */
export class Registry {
  readonly agents: Bucket<AgentRecord>;
  readonly handles: Bucket<HandleRecord>;
  readonly tokens: Bucket<TokenOwner>;
  readonly #bus: Bus;
  readonly #agentCache: RegistryCache<AgentRecord>;
  readonly #handleCache: RegistryCache<HandleRecord>;
  readonly #tokenCache: RegistryCache<TokenOwner>;
  readonly #sessions = new TokenSessions();
  #stopWatching: (() => void) | undefined;

  constructor(bus: Bus) {
    this.#bus = bus;
    this.agents = bus.bucket('registry', 'agent.', agentRecordSchema);
    this.handles = bus.bucket('registry', 'handle.', handleRecordSchema);
    this.tokens = bus.bucket('registry', 'token.', tokenOwnerSchema);
    this.#agentCache = new RegistryCache(async (id) => (await this.agents.get(id))?.value);
    this.#handleCache = new RegistryCache(async (name) => (await this.handles.get(name))?.value);
    this.#tokenCache = new RegistryCache(async (hash) => (await this.tokens.get(hash))?.value);
  }

  /** From now on revoked tokens end their sessions. */
  async start(): Promise<void> {
    this.#stopWatching = await this.tokens.watch(
      (hash, operation) => {
        this.#tokenCache.forget(hash);
        if (operation === 'removed') this.#sessions.endAll(hash);
      },
      () => void this.#recheckSessions(),
    );
  }

  stop(): void {
    this.#stopWatching?.();
  }

  agentById(id: AgentId): Promise<AgentRecord | undefined> {
    return this.#agentCache.get(id);
  }

  async agentByHandle(handle: Handle): Promise<AgentRecord | undefined> {
    const record = await this.#handleCache.get(handle);
    return record?.agentId ? this.agentById(record.agentId) : undefined;
  }

  async authenticate(token: string): Promise<AuthenticatedAgent | undefined> {
    const tokenHash = hashToken(token);
    const owner = await this.#tokenCache.get(tokenHash);
    const agent = owner && (await this.agentById(owner.agentId));
    return agent && { agent, tokenHash };
  }

  /**
   * Ends the session when its token is revoked, wherever that is done.
   * @returns a function to call when the session is over
   */
  onRevoked(tokenHash: string, end: () => void): () => void {
    return this.#sessions.add(tokenHash, end);
  }

  /** A writer must read its own writes: what it changed is not believed any longer. */
  forget(agent: AgentRecord): void {
    this.#agentCache.forget(agent.id);
    this.#handleCache.forget(agent.handle);
    for (const { sha256 } of agent.tokens) this.#tokenCache.forget(sha256);
  }

  /** The secret behind task ids. Made once, never rotated: a retry must find the task of the first try. */
  async taskIdSecret(): Promise<Uint8Array> {
    const secrets = this.#bus.bucket('registry', 'secret.', secretSchema);
    const made = { base64: randomBytes(32).toString('base64') };
    await secrets.create('task-ids', made);
    const secret = await secrets.get('task-ids');
    if (!secret) throw new Error('The secret for task ids cannot be read');
    return Buffer.from(secret.value.base64, 'base64');
  }

  async #recheckSessions(): Promise<void> {
    this.#agentCache.clear();
    this.#handleCache.clear();
    this.#tokenCache.clear();
    const hashes = this.#sessions.tokenHashes;
    for (let at = 0; at < hashes.length; at += recheckedAtOnce) {
      const batch = hashes.slice(at, at + recheckedAtOnce);
      await Promise.all(batch.map((hash) => this.#recheck(hash)));
    }
  }

  /** Where it cannot be read the connection is down again, and the next one leads here again. */
  async #recheck(tokenHash: string): Promise<void> {
    const owner = await this.tokens.get(tokenHash).catch(() => 'unknown' as const);
    if (owner === undefined) this.#sessions.endAll(tokenHash);
  }
}
