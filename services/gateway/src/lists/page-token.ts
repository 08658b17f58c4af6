import { createHash } from 'node:crypto';
import { RelayError } from '@relay/protocol';
import { z } from 'zod';

/** Where a page of the index of tasks or chats ended. */
export const indexPositionSchema = z.object({
  score: z.string().regex(/^\d{1,16}$/),
  taskId: z.uuid(),
});

const tokenSchema = z.tuple([z.string(), z.unknown()]);

/** Where a list goes on. It is bound to the filter of its list: with another one it would skip or repeat. */
export function encodePageToken(filter: unknown, position: unknown): string {
  return Buffer.from(JSON.stringify([filterKey(filter), position])).toString('base64url');
}

/** @throws RelayError invalidParams for a token that this list did not give */
export function decodePageToken<Position>(
  filter: unknown,
  token: string,
  schema: z.ZodType<Position>,
): Position {
  const [key, value] = tokenSchema.safeParse(parse(token)).data ?? [];
  const position = schema.safeParse(value);
  if (key === filterKey(filter) && position.success) return position.data;
  throw new RelayError({ error: 'invalidParams', message: 'The page token is not of this list.' });
}

function filterKey(filter: unknown): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 12);
}

function parse(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}
