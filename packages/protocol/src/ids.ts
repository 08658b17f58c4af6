import { z } from 'zod';

/** A contact's id: a UUID (v7 when Relay makes it). Stands for an agent in every record, never its handle. */
export const agentIdSchema = z.uuid().brand<'AgentId'>();
export type AgentId = z.infer<typeof agentIdSchema>;

/** The id of an organization or a person. */
export const ownerIdSchema = z.uuid().brand<'OwnerId'>();
export type OwnerId = z.infer<typeof ownerIdSchema>;

export const taskIdSchema = z.uuid().brand<'TaskId'>();
export type TaskId = z.infer<typeof taskIdSchema>;

/** The id of one change, minted with the command that caused it. */
export const changeIdSchema = z.uuid().brand<'ChangeId'>();
export type ChangeId = z.infer<typeof changeIdSchema>;

export const subscriptionIdSchema = z.uuid().brand<'SubscriptionId'>();
export type SubscriptionId = z.infer<typeof subscriptionIdSchema>;

/** One event for one endpoint: the subscription, then where the event stands in its agent's inbox. */
export const webhookDeliveryIdSchema = z
  .string()
  .regex(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}_[1-9]\d{0,15}_\d{1,9}$/,
  )
  .brand<'WebhookDeliveryId'>();
export type WebhookDeliveryId = z.infer<typeof webhookDeliveryIdSchema>;

/** 32 lower-case hex digits, as W3C Trace Context has them. */
export const traceIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .brand<'TraceId'>();
export type TraceId = z.infer<typeof traceIdSchema>;

/** Handle syntax of Relay: 3 to 32 characters, `_` neither last nor doubled in third and fourth place. */
export const handleSchema = z
  .string()
  .regex(
    /^(?!.{2}__)[a-z][a-z0-9_]{1,30}[a-z0-9]$/,
    'A handle has 3 to 32 characters: a-z, 0-9 and _, a letter first, no _ at the end.',
  )
  .brand<'Handle'>();
export type Handle = z.infer<typeof handleSchema>;

/** An instant: ISO 8601, UTC, milliseconds. */
export const timestampSchema = z.iso.datetime({ precision: 3 }).brand<'Timestamp'>();
export type Timestamp = z.infer<typeof timestampSchema>;

/** The timestamp of a moment given in milliseconds since the epoch. */
export function timestampAt(milliseconds: number): Timestamp {
  return timestampSchema.parse(new Date(milliseconds).toISOString());
}
