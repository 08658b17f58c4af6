import { eventTypes, subscriptionIdSchema, timestampSchema } from '@relay/protocol';
import { sealedSchema } from '@relay/runtime';
import { z } from 'zod';

/** A webhook subscription as its agent's feed record holds it. */
export const subscriptionRecordSchema = z.object({
  id: subscriptionIdSchema,
  /** As the outbound guard canonicalised it. */
  targetUrl: z.string(),
  subscribedEvents: z.array(z.enum(eventTypes)),
  isActive: z.boolean(),
  /** Newest first; each signs until it expires. */
  secrets: z.array(z.object({ sealed: sealedSchema, expiresAt: timestampSchema.nullable() })),
  /** Static headers by name, each value sealed. */
  headers: z.record(z.string(), sealedSchema),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type SubscriptionRecord = Readonly<z.infer<typeof subscriptionRecordSchema>>;
