import type { Readable } from 'node:stream';
import { RelayError } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';

const maximumBytes = 256 * 1024 * 1024;

/** Bounds what has arrived of bodies that are not whole yet: nobody knows before whose they are. */
export class BodyBudget {
  readonly #received = new Map<FastifyRequest, number>();
  #used = 0;

  /** Counts a body until it is whole, or until the request is over. One that is too much ends with an error. */
  watch(request: FastifyRequest, reply: FastifyReply, body: Readable): void {
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
    reply.raw.once('close', () => this.release(request));
  }

  release(request: FastifyRequest): void {
    this.#used -= this.#received.get(request) ?? 0;
    this.#received.delete(request);
  }
}
