import type { TaskPair } from '@relay/domain';
import type { AgentRecord, AnswerEncoder } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import type { Caller } from '../http/authentication.ts';
import type { Binding } from './bindings/binding.ts';

/** Who calls whom, and over what. */
export interface AddressRequest {
  readonly context: GatewayContext;
  readonly caller: Caller;
  readonly callee: AgentRecord;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly binding: Binding;
}

/** One call of an A2A operation. Its parameters are no part of it: it outlives them. */
export interface AddressCall extends AddressRequest {
  readonly encoder: AnswerEncoder;
}

/** A caller sees only the tasks that it sent to that callee. */
export function pairOf({ caller, callee }: AddressRequest): TaskPair {
  return { requesterId: caller.agent.id, calleeId: callee.id };
}
