import { type Health, metricsContentType, renderMetrics, renderReadiness } from '@relay/runtime';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';

const shared = { tag: 'Running', caller: 'anyone', errors: [], errorForm: 'rest' } as const;

const statusAnswer = <const Status extends string>(
  status: number,
  statuses: readonly Status[],
) => ({
  status,
  description: 'How it is.',
  content: { 'application/json': z.object({ status: z.enum(statuses) }) },
});

const health: Operation = {
  ...shared,
  id: 'isAlive',
  summary: 'Whether the process is alive',
  answers: [statusAnswer(200, ['ok'])],
};

const readiness: Operation = {
  ...shared,
  id: 'isReady',
  summary: 'Whether it can do its work',
  description: 'Degraded is a relay without Redis: then there are no lists.',
  answers: [statusAnswer(200, ['ready', 'degraded']), statusAnswer(503, ['unavailable'])],
};

const metrics: Operation = {
  ...shared,
  id: 'getMetrics',
  summary: 'Metrics for Prometheus',
  answers: [{ status: 200, description: 'The metrics.', content: { 'text/plain': z.string() } }],
};

/** `GET /healthz`: alive. `GET /readyz`: can answer. `GET /metrics`: for Prometheus. */
export function addHealthRoutes(server: FastifyInstance, state: Health): void {
  server.get('/healthz', { config: { operation: health } }, () => ({ status: 'ok' }));
  server.get('/readyz', { config: { operation: readiness } }, (_request, reply) => {
    const { code, body } = renderReadiness(state);
    return reply.code(code).send(body);
  });
  server.get('/metrics', { config: { operation: metrics } }, async (_request, reply) =>
    reply.type(metricsContentType).send(await renderMetrics()),
  );
}
