import { z } from 'zod';

/** Where messages are sent to. */
export const targetSchema = z.object({
  origin: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type Target = z.infer<typeof targetSchema>;

/** What kind of send, and so in which state its task is to be answered; or that a Message is. */
export const sendKindSchema = z.enum(['immediate', 'blocking', 'message']);
export type SendKind = z.infer<typeof sendKindSchema>;

/** As many requests as get through: each connection sends the next when it has its answer. */
export const closedLoopSchema = z.object({
  target: targetSchema,
  kind: sendKindSchema,
  connections: z.int(),
  seconds: z.number(),
});
export type ClosedLoop = z.infer<typeof closedLoopSchema>;

/** Messages of one load client, by their numbers. */
export const messageRangeSchema = z.object({
  first: z.int(),
  last: z.int(),
  /** Those in the range that were not answered as they should be. */
  refused: z.array(z.int()),
});
export type MessageRange = z.infer<typeof messageRangeSchema>;

export const loadResultSchema = z.object({
  sent: messageRangeSchema,
  /** What the first refusal said. */
  refusal: z.string().optional(),
  answered: z.int(),
  /** Answers before the time was up, in a second. */
  perSecond: z.number(),
  p50Milliseconds: z.number(),
  p99Milliseconds: z.number(),
});
export type LoadResult = z.infer<typeof loadResultSchema>;

export const openWaitsSchema = z.object({ target: targetSchema, count: z.int() });

/** When something happened to a numbered message, in milliseconds since the epoch. */
export const momentsSchema = z.array(z.object({ message: z.int(), at: z.number() }));
export type Moments = z.infer<typeof momentsSchema>;

/** One clock for all processes of this machine, finer than a millisecond. */
export const now = (): number => performance.timeOrigin + performance.now();
