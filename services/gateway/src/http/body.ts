import { isUtf8 } from 'node:buffer';
import { parseBody, RelayError } from '@relay/protocol';
import type { FastifyRequest } from 'fastify';
import { isA2aJson, isJson } from './media-types.ts';

/** @throws RelayError mediaTypeNotSupported */
export function requireJsonContent(request: FastifyRequest): void {
  if (!isJson(request.headers['content-type'])) throw new RelayError('mediaTypeNotSupported');
}

/**
 * Parses the body, whatever media type it was sent as. Its bytes are let go: the call may wait long.
 * @throws RelayError parseError, or invalidRequest where it nests too deeply
 */
export function parseRequestBody(request: FastifyRequest, parse = parseBody): unknown {
  const { body } = request;
  request.body = undefined;
  if (!Buffer.isBuffer(body) || !isUtf8(body)) throw new RelayError('parseError');
  return parse(body.toString());
}

/** The JSON body of a REST request. */
export function readJsonBody(request: FastifyRequest): unknown {
  requireJsonContent(request);
  return parseRequestBody(request);
}

/**
 * The body of an HTTP+JSON request; undefined where there is none.
 * @throws RelayError contentTypeNotSupported, parseError, invalidRequest
 */
export function readA2aBody(request: FastifyRequest): unknown {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  if (!isA2aJson(request.headers['content-type'])) {
    const message = 'The request body must be application/a2a+json or application/json.';
    throw new RelayError({ error: 'contentTypeNotSupported', message });
  }
  return parseRequestBody(request);
}
