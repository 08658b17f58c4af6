import { Counter, type Logger } from '@relay/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

const requests = new Counter({
  name: 'relay_requests_total',
  help: 'Requests answered, by route and HTTP status.',
  labelNames: ['route', 'status'],
});

const refusals = new Counter({
  name: 'relay_refusals_total',
  help: 'Requests refused, by the rule: a key of the error catalogue.',
  labelNames: ['rule'],
});

/** One line for each request, when its answer is out. It holds no body and no token. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { startedAt, rpcId: _rpcId, error, ...ids } = request.record;
  const { statusCode: status, writableFinished } = reply.raw;
  const route = request.routeOptions.url;
  requests.inc({ route: route ?? 'none', status });
  if (error !== undefined) refusals.inc({ rule: error });
  const line = {
    method: request.method,
    route,
    status,
    outcome: error ?? (writableFinished ? 'done' : 'disconnected'),
    ...ids,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (status >= 500) logger.warn(line, 'request');
  else logger.info(line, 'request');
}
