import type { AgentRecord } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import type { Caller } from '../http/authentication.ts';
import type { TaskPair } from '../tasks/task-reads.ts';

/** One call of an A2A operation: who calls whom. Its parameters are no part of it: it outlives them. */
export interface AddressCall {
  readonly context: GatewayContext;
  readonly caller: Caller;
  readonly callee: AgentRecord;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A caller sees only the tasks that it sent to that callee. */
export function pairOf({ caller, callee }: AddressCall): TaskPair {
  return { requesterId: caller.agent.id, calleeId: callee.id };
}
