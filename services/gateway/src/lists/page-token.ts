import { createHash } from 'node:crypto';
import { RelayError } from '@relay/protocol';
import type { IndexPosition } from '@relay/store';
import { z } from 'zod';

const tokenSchema = z.tuple([z.string(), z.string().regex(/^\d{1,16}$/), z.uuid()]);

/** Where a list goes on. It is bound to the filter of its list: with another one it would skip or repeat. */
export function encodePageToken(filter: unknown, { score, taskId }: IndexPosition): string {
  return Buffer.from(JSON.stringify([filterKey(filter), score, taskId])).toString('base64url');
}

/** @throws RelayError invalidParams for a token that this list did not give */
export function decodePageToken(filter: unknown, token: string): IndexPosition {
  const parsed = tokenSchema.safeParse(parse(token));
  if (!parsed.success || parsed.data[0] !== filterKey(filter)) {
    throw new RelayError({
      error: 'invalidParams',
      message: 'The page token is not of this list.',
    });
  }
  const [, score, taskId] = parsed.data;
  return { score, taskId };
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
