import { z } from 'zod';

const agentSchema = z.object({ handle: z.string(), token: z.string() });

/** Tasks to be opened, each for the next of the requesters, so that they can be completed later. */
export const openSchema = z.object({
  origin: z.string(),
  callee: agentSchema,
  requesters: z.array(agentSchema),
  tasks: z.int(),
});
export type Open = z.infer<typeof openSchema>;

/** Completes all open tasks: as fast as so many connections get through, or so many a second. */
export const completeSchema = z.object({
  connections: z.int(),
  perSecond: z.number().optional(),
});

/** POSTs of the size of an event, signed, to the receiver itself. */
export const bareSchema = z.object({
  origin: z.string(),
  connections: z.int(),
  requests: z.int(),
});

/** When something happened for a task, in milliseconds since the epoch. */
export const momentSchema = z.object({ taskId: z.string(), at: z.number() });
export type Moment = z.infer<typeof momentSchema>;
