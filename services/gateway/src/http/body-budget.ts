import type { Readable } from 'node:stream';
import { RelayError } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';

const maximumBytes = 256 * 1024 * 1024;

/** Bounds what is held of bodies while they arrive, when nobody knows yet whose they are, and while they are worked on. */
export class BodyBudget {
  readonly #received = new Map<FastifyRequest, number>();
  #used = 0;

  /** Counts a body until it is released. One that is too much ends with an error. */
  watch(request: FastifyRequest, body: Readable): void {
    const count = (chunk: Buffer) => {
      this.#used += chunk.length;
      this.#received.set(request, (this.#received.get(request) ?? 0) + chunk.length);
      if (this.#used <= maximumBytes) return;
      body.off('data', count);
      this.release(request);
      // Where nobody listens nobody reads the body, and nothing of it is held.
      if (body.listenerCount('error') > 0) body.emit('error', new RelayError('unavailable'));
    };
    body.on('data', count);
  }

  release(request: FastifyRequest): void {
    this.#used -= this.#received.get(request) ?? 0;
    this.#received.delete(request);
  }
}
