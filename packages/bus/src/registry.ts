import { randomBytes } from 'node:crypto';
import type { Contact } from '@relay/domain';
import {
  type AgentId,
  type AgentRecord,
  agentIdSchema,
  agentRecordSchema,
  type ContactId,
  type Handle,
  type OwnerId,
  type OwnerRecord,
  ownerIdSchema,
  ownerRecordSchema,
} from '@relay/protocol';
import { z } from 'zod';
import type { Bucket } from './bucket.ts';
import type { Bus } from './bus.ts';
import { ContactRules } from './contact-rules.ts';
import { RegistryCache } from './registry-cache.ts';
import {
  type AuthenticatedAgent,
  type AuthenticatedOwner,
  type HandleRecord,
  handleRecordSchema,
  type TokenHolder,
  tokenHolderSchema,
} from './registry-records.ts';
import { TokenSessions } from './token-sessions.ts';
import { hashToken } from './tokens.ts';

const recheckedAtOnce = 100;

const secretSchema = z.object({ base64: z.base64() });

/** Agents, owners, handles and tokens, as every service reads them. Entries are believed for half a second. */
export class Registry {
  readonly agents: Bucket<AgentRecord>;
  readonly owners: Bucket<OwnerRecord>;
  readonly handles: Bucket<HandleRecord>;
  readonly tokens: Bucket<TokenHolder>;
  /** The index of agents by owner: its keys are `<owner id>.<handle>.<agent id>`. */
  readonly owned: Bucket<object>;
  readonly contactRules: ContactRules;
  readonly #bus: Bus;
  readonly #agentCache: RegistryCache<AgentRecord>;
  readonly #ownerCache: RegistryCache<OwnerRecord>;
  readonly #handleCache: RegistryCache<HandleRecord>;
  readonly #tokenCache: RegistryCache<TokenHolder>;
  readonly #sessions = new TokenSessions();
  #stopWatching: (() => void) | undefined;

  constructor(bus: Bus) {
    this.#bus = bus;
    this.agents = bus.bucket('registry', 'agent.', agentRecordSchema);
    this.owners = bus.bucket('registry', 'owner.', ownerRecordSchema);
    this.handles = bus.bucket('registry', 'handle.', handleRecordSchema);
    this.tokens = bus.bucket('registry', 'token.', tokenHolderSchema);
    this.owned = bus.bucket('registry', 'owned.', z.object({}));
    this.contactRules = new ContactRules(bus);
    this.#agentCache = new RegistryCache(async (id) => (await this.agents.get(id))?.value);
    this.#ownerCache = new RegistryCache(async (id) => (await this.owners.get(id))?.value);
    this.#handleCache = new RegistryCache(async (name) => (await this.handles.get(name))?.value);
    this.#tokenCache = new RegistryCache(async (hash) => (await this.tokens.get(hash))?.value);
  }

  /** From now on revoked tokens end their sessions. */
  async start(): Promise<void> {
    this.#stopWatching = await this.tokens.watch(
      '>',
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

  ownerById(id: OwnerId): Promise<OwnerRecord | undefined> {
    return this.#ownerCache.get(id);
  }

  /** Who owns an agent; undefined where nobody does, or its owner is deleted. */
  async ownerOf({ owner_id }: AgentRecord): Promise<OwnerRecord | undefined> {
    return owner_id === null ? undefined : this.ownerById(owner_id);
  }

  /** Whoever has the handle, an agent or a person. */
  async contactByHandle(handle: Handle): Promise<Contact | undefined> {
    const { agentId, personId } = (await this.#handleCache.get(handle)) ?? {};
    const id = agentId ?? personId;
    return id && this.contactById(id);
  }

  async contactById(id: ContactId): Promise<Contact | undefined> {
    const agent = await this.agentById(agentIdSchema.parse(id));
    if (agent) return { kind: 'agent', agent, owner: await this.ownerOf(agent) };
    const person = await this.ownerById(ownerIdSchema.parse(id));
    return person?.kind === 'user' ? { kind: 'user', person } : undefined;
  }

  async authenticate(token: string): Promise<AuthenticatedAgent | AuthenticatedOwner | undefined> {
    const tokenHash = hashToken(token);
    const holder = await this.#tokenCache.get(tokenHash);
    if (holder === undefined) return undefined;
    if ('ownerId' in holder) {
      const owner = await this.ownerById(holder.ownerId);
      return owner && { kind: 'owner', owner };
    }
    const agent = await this.agentById(holder.agentId);
    return agent && { kind: 'agent', agent, owner: await this.ownerOf(agent), tokenHash };
  }

  /**
   * Ends the session when its token is revoked, wherever that is done.
   * @returns a function to call when the session is over
   */
  onRevoked(tokenHash: string, end: () => void): () => void {
    return this.#sessions.add(tokenHash, end);
  }

  /** Whether a token is still good that was, and may have been revoked before its session was known. */
  async isStillGood(tokenHash: string): Promise<boolean> {
    const read = this.#tokenCache.lastRead(tokenHash) ?? this.tokens.get(tokenHash);
    // Where it cannot be read the connection is down, and the next one rechecks all sessions.
    return (await read.catch(() => 'unknown' as const)) !== undefined;
  }

  /** A writer must read its own writes: what it changed is not believed any longer. */
  forget(agent: AgentRecord): void {
    this.#agentCache.forget(agent.id);
    this.#handleCache.forget(agent.handle);
    for (const { sha256 } of agent.tokens) this.#tokenCache.forget(sha256);
  }

  forgetOwner(owner: OwnerRecord): void {
    this.#ownerCache.forget(owner.id);
    for (const { sha256 } of owner.tokens) this.#tokenCache.forget(sha256);
  }

  /** The secret behind task ids. Made once, never rotated: a retry must find the task of the first try. */
  async taskIdSecret(): Promise<Uint8Array> {
    const secrets = this.#bus.bucket('registry', 'secret.', secretSchema);
    const made = { base64: randomBytes(32).toString('base64') };
    await secrets.change('task-ids', (secret) => (secret ? undefined : made));
    const secret = await secrets.get('task-ids');
    if (!secret) throw new Error('The secret for task ids cannot be read');
    return Buffer.from(secret.value.base64, 'base64');
  }

  async #recheckSessions(): Promise<void> {
    this.#agentCache.clear();
    this.#ownerCache.clear();
    this.#handleCache.clear();
    this.#tokenCache.clear();
    this.contactRules.clear();
    const hashes = this.#sessions.tokenHashes;
    for (let at = 0; at < hashes.length; at += recheckedAtOnce) {
      const batch = hashes.slice(at, at + recheckedAtOnce);
      await Promise.all(batch.map((hash) => this.#recheck(hash)));
    }
  }

  /** Where it cannot be read the connection is down again, and the next one leads here again. */
  async #recheck(tokenHash: string): Promise<void> {
    const holder = await this.tokens.get(tokenHash).catch(() => 'unknown' as const);
    if (holder === undefined) this.#sessions.endAll(tokenHash);
  }
}
