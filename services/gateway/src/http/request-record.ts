import type { AgentId, JsonRpcId, OwnerId, TraceId } from '@relay/protocol';
import { isTracing, openSpan } from '@relay/runtime';
import type { FastifyRequest } from 'fastify';
import { traceIdOf } from './trace.ts';

/** What becomes known of a request: its one log line, and what its answer must repeat. */
export interface RequestRecord {
  readonly traceId: TraceId;
  readonly startedAt: number;
  /** Of its own, where there is tracing. */
  readonly spanId: string | undefined;
  /** To be echoed in a JSON-RPC answer. */
  rpcId: JsonRpcId;
  handle?: string;
  agentId?: AgentId;
  ownerId?: OwnerId;
  taskId?: string;
  rpcMethod?: string;
  /** The refusal's key; absent where the request was done. */
  error?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord;
  }
}

export function beginRecord(request: Pick<FastifyRequest, 'headers'>): RequestRecord {
  const traceId = traceIdOf(request.headers['traceparent']);
  return {
    traceId,
    spanId: isTracing() ? openSpan(traceId) : undefined,
    startedAt: performance.now(),
    rpcId: null,
  };
}
