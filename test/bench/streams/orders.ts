import { z } from 'zod';
import { agentSchema } from '../agents/orders.ts';
import { targetSchema } from '../load/orders.ts';

/** Streams to be opened, each of a task of its own. */
export const openStreamsSchema = z.object({ target: targetSchema, count: z.int() });

/** Updates of tasks in turns, so many a second in all. */
export const updateSchema = z.object({
  callee: agentSchema,
  taskIds: z.array(z.string()),
  perSecond: z.number(),
  updates: z.int(),
});
export type UpdateOrder = z.infer<typeof updateSchema>;
