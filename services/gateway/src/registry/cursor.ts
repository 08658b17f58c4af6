import { RelayError } from '@relay/protocol';
import type { z } from 'zod';

/** Where the next page of a list begins: behind the last one that was given. */
export function encodeCursor(last: string): string {
  return Buffer.from(last).toString('base64url');
}

/** @throws RelayError invalidParams where it is no cursor of this list */
export function decodeCursor<Key>(cursor: string, schema: z.ZodType<Key>): Key {
  const key = schema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (key.success) return key.data;
  throw new RelayError({ error: 'invalidParams', message: 'The cursor is not of this list.' });
}
