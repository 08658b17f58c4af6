import type { Logger } from '@relay/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One line for each request, when its answer is out. It holds no body and no token. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { startedAt, rpcId: _rpcId, error, ...ids } = request.record;
  const { statusCode: status, writableFinished } = reply.raw;
  const line = {
    method: request.method,
    route: request.routeOptions.url,
    status,
    outcome: error ?? (writableFinished ? 'done' : 'disconnected'),
    ...ids,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (status >= 500) logger.warn(line, 'request');
  else logger.info(line, 'request');
}
