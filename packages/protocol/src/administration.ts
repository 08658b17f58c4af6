import { z } from 'zod';
import { timestampSchema } from './ids.ts';
import type { Immutable } from './immutable.ts';
import { pageSizeSchema } from './operations.ts';

/** What the administrator sees and does of delivery as a whole. */

/** The reader of a stream, and the sequence that it could not process. */
export const stuckMessageIdSchema = z
  .string()
  .regex(/^[a-z][a-z-]{0,62}_[1-9]\d{0,15}$/)
  .brand<'StuckMessageId'>();
export type StuckMessageId = z.infer<typeof stuckMessageIdSchema>;

const stuckMessageSchema = z
  .object({
    id: stuckMessageIdSchema,
    reader: z.string().meta({ description: 'What could not process it.' }),
    sequence: z.int().meta({ description: 'Of the message in its stream.' }),
    subject: z.string(),
    set_aside_at: timestampSchema.nullable(),
  })
  .meta({ id: 'StuckMessage' });
export type StuckMessage = Immutable<z.infer<typeof stuckMessageSchema>>;

/** `GET /v1/stuck-messages`: the one that was set aside first comes first. */
export const listStuckQuerySchema = z.strictObject({
  page_size: pageSizeSchema,
  page_token: z.string().max(2048).optional(),
});

export const stuckPageSchema = z.object({
  messages: z.array(stuckMessageSchema),
  next_page_token: z.string().meta({ description: 'Empty at the end.' }),
});
export type StuckPage = Immutable<z.infer<typeof stuckPageSchema>>;

/** `POST /v1/stuck-messages/{id}/redrive`. */
export const stuckRedriveAnswerSchema = z.object({
  outcome: z.enum(['redriven', 'gone']).meta({
    description: '`gone`: the message itself was removed since; there is nothing to process.',
  }),
});
export type StuckRedriveAnswer = Immutable<z.infer<typeof stuckRedriveAnswerSchema>>;

/** `POST /v1/secrets/rewrap`. */
export const rewrapRequestSchema = z.strictObject({
  page_token: z.string().max(2048).optional(),
});

export const rewrapAnswerSchema = z
  .object({
    examined: z.int().meta({ description: 'How many secrets were looked at.' }),
    rewrapped: z.int().meta({ description: 'How many of them were sealed anew.' }),
    failed: z.int().meta({ description: 'How many could not be opened with any key.' }),
    next_page_token: z.string().meta({ description: 'Empty at the end.' }),
  })
  .meta({ id: 'RewrapAnswer' });
export type RewrapAnswer = Immutable<z.infer<typeof rewrapAnswerSchema>>;
