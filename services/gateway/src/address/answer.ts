import type { FastifyReply } from 'fastify';
import type { AddressCall } from './address-call.ts';

/** Answers with a result, once it is there, as the version and the binding write it. */
export async function answer<Result>(
  { reply, binding }: AddressCall,
  result: Promise<Result>,
  encode: (result: Result) => unknown,
): Promise<FastifyReply> {
  const body = binding.encodeResult(encode(await result));
  // As bytes: Fastify would add a character set to the media type, and some clients take it literally.
  return reply.header('content-type', binding.contentType).send(Buffer.from(body));
}
