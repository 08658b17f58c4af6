import { z } from 'zod';
import { messageRangeSchema } from '../load/orders.ts';

/** An agent that another process is to be. */
export const agentSchema = z.object({ origin: z.string(), token: z.string() });
export type Agent = z.infer<typeof agentSchema>;

export const settleSchema = z.object({ sent: messageRangeSchema, timeoutMilliseconds: z.number() });

/** What of the acknowledged tasks had not come when the sending ended, and how long it took to come. */
export const deliverySchema = z.object({
  backlog: z.int(),
  drainMilliseconds: z.number(),
  /** What had not come when the time to wait for it was up. */
  missing: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const finishSchema = z.object({ sent: messageRangeSchema, connections: z.int() });
