import { z } from 'zod';
import { RelayError } from './errors.ts';
import { isJsonObject, JsonDepthError, parseJson } from './json.ts';

export type JsonRpcId = string | number | null;

export interface JsonRpcRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: unknown;
}

export const jsonRpcIdSchema = z.union([z.string(), z.number()]).nullable();

const idSchema = jsonRpcIdSchema.optional();

/** The id to answer with: what the caller sent, or null where none can be read. */
export function idOf(body: unknown): JsonRpcId {
  const parsed = idSchema.safeParse(isJsonObject(body) ? body['id'] : null);
  return parsed.data ?? null;
}

export const jsonRpcRequestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema,
  method: z.string(),
  params: z.unknown().optional(),
});

/**
 * Reads a JSON-RPC 2.0 request object. Batches are refused: A2A has none. A request without an id is
 * answered too, with id null, because A2A has no notifications.
 * @throws RelayError invalidRequest
 */
export function readJsonRpcRequest(body: unknown): JsonRpcRequest {
  const envelope = jsonRpcRequestSchema.safeParse(body);
  if (!envelope.success) throw new RelayError('invalidRequest');
  const { id, method, params } = envelope.data;
  return { id: id ?? null, method, params };
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
