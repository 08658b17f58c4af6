import { RelayError } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyBudget } from './body-budget.ts';
import { tooManyConnections } from './connections.ts';

/** Answered also while the relay drains or has too much to do. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** The requests that are being answered. New ones are refused where too many are worked on, and in a drain. */
export class InFlight {
  readonly bodies = new BodyBudget();
  readonly #limit: number;
  /** Those whose bodies have arrived and that do not wait for anybody. */
  readonly #worked = new Set<FastifyRequest>();
  readonly #replies = new Set<FastifyReply>();
  #isDraining = false;
  #whenIdle: (() => void) | undefined;

  /** @param limit how many requests may be worked on */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(reply: FastifyReply): void {
    this.#replies.add(reply);
  }

  /** Of a stream nothing told that its connection ends with it, if a drain ends it. */
  end(reply: FastifyReply): void {
    this.rest(reply.request);
    this.#replies.delete(reply);
    if (this.#isDraining) reply.request.raw.socket.end();
    if (this.#replies.size === 0) this.#whenIdle?.();
  }

  /**
   * Why a request that has just come to that route is not taken.
   * @param isTaken whether its connection is one of those that the relay takes
   */
  refusalFor(route: string | undefined, isTaken: boolean): RelayError | undefined {
    if (probes.has(route)) return undefined;
    if (this.#isDraining) return unavailable('This relay is stopping.');
    return isTaken ? this.#refusalWhereFull() : unavailable(tooManyConnections);
  }

  /** Its body is here. @returns why it is not worked on */
  work(request: FastifyRequest): RelayError | undefined {
    if (probes.has(request.routeOptions.url)) return undefined;
    const refusal = this.#refusalWhereFull();
    if (!refusal) this.#worked.add(request);
    return refusal;
  }

  /** From here on it waits for somebody, and holds nothing of its body. */
  rest(request: FastifyRequest): void {
    this.#worked.delete(request);
    this.bodies.release(request);
  }

  /** Resolves when no request is being answered any more, or when the time is up. */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    // Whoever asks again must not do so on a connection on which it would be refused.
    for (const { raw } of this.#replies) raw.shouldKeepAlive = false;
    if (this.#replies.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #refusalWhereFull(): RelayError | undefined {
    return this.#worked.size < this.#limit
      ? undefined
      : unavailable('Relay has too much to do right now. Try again shortly.');
  }
}

const unavailable = (message: string) => new RelayError({ error: 'unavailable', message });
