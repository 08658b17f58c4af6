import { z } from 'zod';

/** Frames of `/v1/websocket` (contract §6.2). Key sets are exact: stock SDKs stop at an extra key. */

/** Decimal, because a number would lose digits in other languages. */
const sequenceSchema = z.string().regex(/^(0|[1-9]\d{0,15})$/);

export const heartbeatIntervalMilliseconds = 30_000;
/** Unacknowledged events a connection may have. */
export const maximumInFlight = 64;

export const disconnectReasons = [
  'revoked',
  'heartbeat_timeout',
  'restart',
  'webhook_configured',
] as const;
export type DisconnectReason = (typeof disconnectReasons)[number];

export const closeCodes = {
  internalError: 1011,
  restart: 1012,
  revoked: 4401,
  heartbeatTimeout: 4408,
  webhookConfigured: 4410,
} as const;

export const socketErrorCodes = [
  'invalid_frame',
  'ack_out_of_range',
  'stale_connection',
  'ack_failed',
  'delivery_failed',
  'full_sync_required',
  'full_sync_mismatch',
] as const;
export type SocketErrorCode = (typeof socketErrorCodes)[number];

export const serverFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('ready'),
    connection_id: z.uuid(),
    acked_through: sequenceSchema,
    full_sync_required: z.boolean(),
    full_sync_through: sequenceSchema.nullable(),
    heartbeat_interval_ms: z.int().positive(),
    max_in_flight: z.int().positive(),
    observational: z.literal(true).optional(),
  }),
  z.strictObject({
    type: z.literal('event'),
    sequence: sequenceSchema,
    event: z.looseObject({ event_type: z.string(), event_id: z.string() }),
  }),
  z.strictObject({
    type: z.literal('full_sync'),
    through_sequence: sequenceSchema,
    reason: z.literal('checkpoint_outside_retention'),
  }),
  z.strictObject({ type: z.literal('pong') }),
  z.strictObject({
    type: z.literal('error'),
    code: z.enum(socketErrorCodes),
    message: z.string(),
    fatal: z.boolean(),
    retryable: z.boolean(),
  }),
  z.strictObject({ type: z.literal('disconnect'), reason: z.enum(disconnectReasons) }),
]);
export type ServerFrame = z.infer<typeof serverFrameSchema>;

export const clientFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ack'), through_sequence: sequenceSchema }),
  z.strictObject({ type: z.literal('full_sync_complete'), through_sequence: sequenceSchema }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof clientFrameSchema>;
