import { z } from 'zod';
import { ownerIdSchema, timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { lineSchema } from './profile-text.ts';

/** Tokens of agents and of owners. */

const tokenFields = { id: z.uuid(), name: z.string().nullable(), created_at: timestampSchema };

export const tokenRecordSchema = z.object({
  ...tokenFields,
  /** SHA-256 of the token, hex. The token itself is kept nowhere. */
  sha256: z.string(),
  /** The owner that made it; `null`: the administrator. */
  issued_by: ownerIdSchema.nullable().default(null),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** `POST …/tokens`. */
export const createTokenRequestSchema = z.strictObject({ name: lineSchema.optional() });

/** A token without the token: that is shown once, when it is made. */
export const tokenResourceSchema = z.object(tokenFields).meta({ id: 'Token' });
export type TokenResource = Immutable<z.infer<typeof tokenResourceSchema>>;

/** A token itself, as an answer shows it once. */
export const tokenSchema = z.string().meta({ description: 'Shown only here.' });

/** `POST …/tokens`. */
export const newTokenSchema = z
  .object({ ...tokenFields, token: tokenSchema })
  .meta({ id: 'NewToken' });
