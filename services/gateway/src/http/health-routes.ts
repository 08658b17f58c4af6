import { type Health, metricsContentType, renderMetrics, renderReadiness } from '@relay/runtime';
import type { FastifyInstance } from 'fastify';

/** `GET /healthz`: alive. `GET /readyz`: can answer. `GET /metrics`: for Prometheus. */
export function addHealthRoutes(server: FastifyInstance, health: Health): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', (_request, reply) => {
    const { code, body } = renderReadiness(health);
    return reply.code(code).send(body);
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(metricsContentType).send(await renderMetrics()),
  );
}
