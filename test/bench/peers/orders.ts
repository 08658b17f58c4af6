import { z } from 'zod';

export const peerOrderSchema = z.object({
  /** Leaves each task as it came, or completes it at once. */
  agent: z.enum(['idle', 'completing', 'answering']),
  /** Where tasks are stored; in memory unless given. */
  redisUrl: z.string().optional(),
});
export type PeerOrder = z.infer<typeof peerOrderSchema>;

export const listeningSchema = z.object({ port: z.int() });
export type Listening = z.infer<typeof listeningSchema>;
