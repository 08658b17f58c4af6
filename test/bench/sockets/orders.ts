import { z } from 'zod';

export const crowdSchema = z.object({
  origin: z.string(),
  /** One for each socket. */
  tokens: z.array(z.string()),
});
export type CrowdOrder = z.infer<typeof crowdSchema>;

export const receiveSchema = z.object({
  /** How many each socket is to get. */
  events: z.int(),
});

/** When frames came, in milliseconds of the receiver's clock. */
export const receivedSchema = z.object({ frames: z.int(), first: z.number(), last: z.number() });
export type Received = z.infer<typeof receivedSchema>;

export const broadcastSchema = z.object({ events: z.int(), bytes: z.int() });
