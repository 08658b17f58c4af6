import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthenticatedAgent, AuthenticatedOwner, Registry } from '@relay/bus';
import { type PersonRecord, RelayError } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';

/** The agent that makes a request. */
export interface Caller extends AuthenticatedAgent {
  readonly token: string;
}

/** Who manages agents: the administrator all of them, an owner those of its own. */
export type Manager = AuthenticatedOwner | { readonly kind: 'administrator' };

/** Whoever has a contact of its own: an agent or a person. */
export type ContactCaller = Caller | { readonly kind: 'user'; readonly person: PersonRecord };

const bearerPattern = /^Bearer +(\S+) *$/i;

/** Whose token a request carries. An agent's is looked for first: that is nearly every request. */
export class Authentication {
  readonly #registry: Registry;
  readonly #adminDigest: Buffer | undefined;

  constructor(registry: Registry, adminToken: string | undefined) {
    this.#registry = registry;
    this.#adminDigest = adminToken === undefined ? undefined : digest(adminToken);
  }

  /**
   * At an A2A address only agents are known.
   * @throws RelayError unauthenticated
   */
  async requireAgentAtAddress(request: FastifyRequest): Promise<Caller> {
    const identity = await this.#identify(request);
    if (identity.kind !== 'agent') throw new RelayError('unauthenticated');
    return identity;
  }

  /** @throws RelayError unauthenticated, forbidden */
  async requireAgent(request: FastifyRequest): Promise<Caller> {
    const identity = await this.#identify(request);
    if (identity.kind !== 'agent') throw new RelayError('forbidden');
    return identity;
  }

  /** @throws RelayError unauthenticated, forbidden */
  async requireAdministrator(request: FastifyRequest): Promise<void> {
    const { kind } = await this.#identify(request);
    if (kind !== 'administrator') throw new RelayError('forbidden');
  }

  /** @throws RelayError unauthenticated, forbidden */
  async requireManager(request: FastifyRequest): Promise<Manager> {
    const identity = await this.#identify(request);
    if (identity.kind === 'agent') throw new RelayError('forbidden');
    return identity;
  }

  /** @throws RelayError unauthenticated, forbidden */
  async requireContact(request: FastifyRequest): Promise<ContactCaller> {
    const identity = await this.#identify(request);
    if (identity.kind === 'agent') return identity;
    if (identity.kind === 'administrator' || identity.owner.kind !== 'user') {
      throw new RelayError('forbidden');
    }
    return { kind: 'user', person: identity.owner };
  }

  /** Whether the token is good now; it may have been revoked since the caller showed it. */
  async isStillGood({ token }: Caller): Promise<boolean> {
    return (await this.#registry.authenticate(token)) !== undefined;
  }

  /** @throws RelayError unauthenticated */
  async #identify(request: FastifyRequest): Promise<Caller | Manager> {
    const token = bearerPattern.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new RelayError('unauthenticated');
    const found = await this.#registry.authenticate(token);
    if (found?.kind === 'agent') {
      request.record.agentId = found.agent.id;
      return { token, ...found };
    }
    if (found) {
      request.record.ownerId = found.owner.id;
      return found;
    }
    if (this.#isAdministrator(token)) return { kind: 'administrator' };
    throw new RelayError('unauthenticated');
  }

  #isAdministrator(token: string): boolean {
    return this.#adminDigest !== undefined && timingSafeEqual(digest(token), this.#adminDigest);
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
