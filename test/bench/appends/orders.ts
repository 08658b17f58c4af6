import { z } from 'zod';

/** New tasks to be appended to TASKS as a task-manager would, past it and the API. */
export const appendsSchema = z.object({
  requesterId: z.string(),
  /** Whose turn it is, one after the other. */
  calleeIds: z.array(z.string()).readonly(),
  tasks: z.int(),
  /** As fast as they get through, so many at a time, unless the pace is given. */
  atOnce: z.int(),
  perSecond: z.number().optional(),
});
export type Appends = z.infer<typeof appendsSchema>;
