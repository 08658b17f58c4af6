import { isUtf8 } from 'node:buffer';
import { parseBody, RelayError } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';

/** The parameters of the media type say nothing that JSON lets vary. */
const jsonPattern = /^application\/json\s*(?:;|$)/i;

/** @throws RelayError mediaTypeNotSupported */
export function requireJsonContent(request: FastifyRequest): void {
  if (!jsonPattern.test(request.headers['content-type'] ?? '')) {
    throw new RelayError('mediaTypeNotSupported');
  }
}

/**
 * Parses the body, whatever media type it was sent as. Its bytes are let go: the call may wait long.
 * @throws RelayError parseError, or invalidRequest where it nests too deeply
 */
export function parseRequestBody(request: FastifyRequest): unknown {
  const { body } = request;
  request.body = undefined;
  if (!Buffer.isBuffer(body) || !isUtf8(body)) throw new RelayError('parseError');
  return parseBody(body.toString());
}

/** The JSON body of a REST request. */
export function readJsonBody(request: FastifyRequest): unknown {
  requireJsonContent(request);
  return parseRequestBody(request);
}
