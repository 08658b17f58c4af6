import type { FastifyInstance } from 'fastify';

export interface Health {
  /** Whether requests can be answered. */
  isReady(): boolean;
  /** Whether something is away that Relay can do without for a while. */
  isDegraded(): boolean;
}

/** `GET /healthz`: alive. `GET /readyz`: can answer. */
export function addHealthRoutes(server: FastifyInstance, health: Health): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', (_request, reply) => {
    const isReady = health.isReady();
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'unavailable', degraded: health.isDegraded() });
  });
}
