import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthenticatedAgent, Registry } from '@relay/bus';
import { RelayError } from '@relay/protocol';
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';

/** The agent that makes a request. */
export interface Caller extends AuthenticatedAgent {
  readonly token: string;
}

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
    const caller = await this.#findAgent(request, tokenOf(request));
    if (!caller) throw new RelayError('unauthenticated');
    return caller;
  }

  /** @throws RelayError unauthenticated, or forbidden for the administrator */
  async #requireAgent(request: FastifyRequest): Promise<Caller> {
    const token = tokenOf(request);
    const caller = await this.#findAgent(request, token);
    if (!caller) throw new RelayError(this.#isAdmin(token) ? 'forbidden' : 'unauthenticated');
    return caller;
  }

  /** @throws RelayError unauthenticated, or forbidden for an agent */
  async #requireAdmin(request: FastifyRequest): Promise<void> {
    const token = tokenOf(request);
    if (this.#isAdmin(token)) return;
    const agent = await this.#findAgent(request, token);
    throw new RelayError(agent ? 'forbidden' : 'unauthenticated');
  }

  /** A route that only agents may use. */
  forAgent<Route extends RouteGenericInterface>(
    handle: (caller: Caller, request: FastifyRequest<Route>, reply: FastifyReply) => unknown,
  ) {
    return async (request: FastifyRequest<Route>, reply: FastifyReply) =>
      handle(await this.#requireAgent(request), request, reply);
  }

  /** A route that only the administrator may use. */
  forAdmin<Route extends RouteGenericInterface>(
    handle: (request: FastifyRequest<Route>, reply: FastifyReply) => unknown,
  ) {
    return async (request: FastifyRequest<Route>, reply: FastifyReply) => {
      await this.#requireAdmin(request);
      return handle(request, reply);
    };
  }

  /** Whether the token is good now; it may have been revoked since the caller showed it. */
  async isStillGood({ token }: Caller): Promise<boolean> {
    return (await this.#registry.authenticate(token)) !== undefined;
  }

  async #findAgent(
    request: FastifyRequest,
    token: string | undefined,
  ): Promise<Caller | undefined> {
    const found = token === undefined ? undefined : await this.#registry.authenticate(token);
    if (!found || token === undefined) return undefined;
    request.record.agentId = found.agent.id;
    return { ...found, token };
  }

  #isAdmin(token: string | undefined): boolean {
    return (
      token !== undefined &&
      this.#adminDigest !== undefined &&
      timingSafeEqual(digest(token), this.#adminDigest)
    );
  }
}

function tokenOf(request: FastifyRequest): string | undefined {
  return bearerPattern.exec(request.headers.authorization ?? '')?.[1];
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
