import { jsonRpcStatus, type Refusal, RelayError } from '@relay/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AddressRequest } from './address-call.ts';

/** Whether a client takes an event stream and says nothing of JSON. */
export function wantsStream({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/event-stream') && !/application\/json|\*\/\*/.test(accept);
}

/**
 * Answers with a stream of the refusal alone: SDKs of 0.3 take nothing else for the answer to a streaming
 * method. What has an HTTP status of its own keeps it.
 * @throws RelayError where it does
 */
export function refuseInStream(
  { request, reply, binding }: AddressRequest,
  refusal: Refusal,
): FastifyReply {
  if (refusal.error === 'internal' || jsonRpcStatus(refusal) !== 200) throw new RelayError(refusal);
  request.record.error = refusal.error;
  return reply.type('text/event-stream').send(binding.encodeLastError(refusal));
}
