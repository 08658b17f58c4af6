import { z } from 'zod';
import { RelayError } from './errors.ts';
import { JsonDepthError, parseJson } from './json.ts';
import { idSchema, type JsonRpcId, jsonRpcIdSchema, withExactId } from './json-rpc-id.ts';

export interface JsonRpcRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: unknown;
}

/** As it comes over the wire. */
export const jsonRpcRequestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: jsonRpcIdSchema.optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

const requestSchema = jsonRpcRequestSchema.extend({ id: idSchema });

/**
 * Reads a JSON-RPC 2.0 request object. Batches are refused: A2A has none. A request without an id is
 * answered too, with id null, because A2A has no notifications.
 * @throws RelayError invalidRequest
 */
export function readJsonRpcRequest(body: unknown): JsonRpcRequest {
  const envelope = requestSchema.safeParse(body);
  if (!envelope.success) throw new RelayError('invalidRequest');
  const { id, method, params } = envelope.data;
  return { id: id ?? null, method, params };
}

/** The JSON text of a response. */
export function jsonRpcText(id: JsonRpcId, member: 'result' | 'error', value: unknown): string {
  const idText = typeof id === 'bigint' ? String(id) : JSON.stringify(id);
  return `{"jsonrpc":"2.0","id":${idText},"${member}":${JSON.stringify(value)}}`;
}

/**
 * Parses a request body.
 * @throws RelayError parseError when it is not JSON, or nests too deeply to be JSON that anyone means
 */
export function parseBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonDepthError) {
      throw new RelayError({ error: 'invalidRequest', message: `${error.message}.` });
    }
    throw new RelayError('parseError');
  }
}

/** As {@link parseBody}, with the id as it was written. */
export function parseJsonRpcBody(text: string): unknown {
  return withExactId(parseBody(text), text);
}
