import { Counter, closeSpan, type Logger, recordSpan } from '@relay/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parentIdOf } from './trace.ts';

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
  const { startedAt, rpcId: _rpcId, spanId, error, ...ids } = request.record;
  const { statusCode: status, writableFinished } = reply.raw;
  const route = request.routeOptions.url;
  requests.inc({ route: route ?? 'none', status });
  if (error !== undefined) refusals.inc({ rule: error });
  const line = {
    method: request.method,
    route,
    status,
    outcome: error ?? (writableFinished ? 'done' : 'disconnected'),
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    ...ids,
  };
  if (spanId !== undefined) recordRequest(request, spanId, line);
  if (status >= 500) logger.warn(line, 'request');
  else logger.info(line, 'request');
}

interface RequestLine {
  readonly route: string | undefined;
  readonly status: number;
  readonly outcome: string;
  readonly durationMs: number;
}

function recordRequest(request: FastifyRequest, spanId: string, line: RequestLine): void {
  const { method, headers, record } = request;
  const { traceId, taskId, agentId, handle, rpcMethod } = record;
  const { route, status, outcome, durationMs } = line;
  closeSpan(traceId, spanId);
  recordSpan({
    name: `${method} ${route ?? ''}`.trim(),
    kind: 'server',
    traceId,
    spanId,
    parentId: parentIdOf(headers['traceparent']),
    startedAt: Date.now() - durationMs,
    failure: status >= 500 ? outcome : undefined,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'rpc.method': rpcMethod,
      'relay.outcome': outcome,
      'relay.task_id': taskId,
      'relay.agent_id': agentId,
      'relay.handle': handle,
    },
  });
}
