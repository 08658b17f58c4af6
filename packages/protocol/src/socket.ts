import { z } from 'zod';
import { documentedAs } from './documented-as.ts';
import { eventEnvelopeSchema } from './events.ts';

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

/** Why Relay closes, and what the client does then, by code. */
export const closeCodeMeanings: Readonly<
  Record<(typeof closeCodes)[keyof typeof closeCodes], string>
> = {
  [closeCodes.internalError]: 'Relay could not read what it needs. Connect again.',
  [closeCodes.restart]: 'Relay stops, or counts the events anew. Connect again.',
  [closeCodes.revoked]: 'The token is not good any more. Stop.',
  [closeCodes.heartbeatTimeout]: 'No ping came for two intervals. Connect again.',
  [closeCodes.webhookConfigured]: 'The agent gets its events by webhook now. Stop.',
};

/**
 * Payload of the ping by which a gateway that passes a WebSocket through asks delivery to have its client
 * connect again. It is no part of the contract with clients.
 */
export const restartPing = 'relay.restart';

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

export const socketErrorMeanings: Readonly<Record<SocketErrorCode, string>> = {
  invalid_frame: 'The frame is none of the client frames.',
  ack_out_of_range: 'The number was not sent on this connection.',
  stale_connection: 'The events are counted anew, and the acknowledgement came too late for that.',
  ack_failed: 'The acknowledgement could not be kept.',
  delivery_failed: 'The next event could not be read.',
  full_sync_required: 'A full sync must be confirmed first.',
  full_sync_mismatch: 'No full sync with this number is due.',
};

/** Query of the upgrade. */
export const socketQuerySchema = z.strictObject({
  observe: z
    .literal('true')
    .optional()
    .meta({
      description:
        'Only watches, from the first unacknowledged event on: nothing is acknowledged, and the events ' +
        'still wait for a connection that does. Several may watch an agent.',
    }),
  subscribed_events: z
    .array(z.string())
    .max(64)
    .optional()
    .meta({
      description:
        'Repeated, once for each event type that the agent wants. None means all, also those of later ' +
        'versions. What any open connection leaves out is not kept for the agent.',
    }),
});

const throughSequence = (description: string) => sequenceSchema.meta({ description });

export const serverFrameSchema = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('ready'),
        connection_id: z.uuid(),
        acked_through: throughSequence('The last number that is acknowledged.'),
        full_sync_required: z.boolean(),
        full_sync_through: sequenceSchema.nullable().meta({
          description: 'What to confirm by full_sync_complete; set where a full sync is required.',
        }),
        heartbeat_interval_ms: z.int().positive().meta({ description: 'Ping this often.' }),
        max_in_flight: z.int().positive().meta({
          description: 'So many events come at most before one is acknowledged.',
        }),
        observational: z
          .literal(true)
          .optional()
          .meta({ description: 'The connection only watches.' }),
      })
      .meta({ id: 'ReadyFrame', description: 'Always the first frame.' }),
    z
      .strictObject({
        type: z.literal('event'),
        sequence: throughSequence("The event's number: one more than that of the one before."),
        event: documentedAs(
          eventEnvelopeSchema,
          z.looseObject({ event_type: z.string(), event_id: z.string() }),
        ),
      })
      .meta({ id: 'EventFrame', description: 'One event.' }),
    z
      .strictObject({
        type: z.literal('full_sync'),
        through_sequence: throughSequence('What to confirm by full_sync_complete.'),
        reason: z.literal('checkpoint_outside_retention'),
      })
      .meta({
        id: 'FullSyncFrame',
        description:
          'Events were removed before they were acknowledged. Read the state anew over REST, then ' +
          'confirm; until then no events come.',
      }),
    z
      .strictObject({ type: z.literal('pong') })
      .meta({ id: 'PongFrame', description: 'The answer to a ping.' }),
    z
      .strictObject({
        type: z.literal('error'),
        code: z.enum(socketErrorCodes),
        message: z.string().meta({ description: 'For people; it may change.' }),
        fatal: z.boolean().meta({ description: 'Whether the connection is of no more use.' }),
        retryable: z.boolean().meta({ description: 'Whether connecting again helps.' }),
      })
      .meta({ id: 'ErrorFrame', description: 'What a client has done wrong, or Relay could not.' }),
    z
      .strictObject({ type: z.literal('disconnect'), reason: z.enum(disconnectReasons) })
      .meta({ id: 'DisconnectFrame', description: 'The last frame; the close follows.' }),
  ])
  .meta({ id: 'ServerFrame' });
export type ServerFrame = z.infer<typeof serverFrameSchema>;

export const clientFrameSchema = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('ack'),
        through_sequence: throughSequence('The number of the last event that is done with.'),
      })
      .meta({
        id: 'AckFrame',
        description: 'All events up to this one are done with, for every connection of the agent.',
      }),
    z
      .strictObject({
        type: z.literal('full_sync_complete'),
        through_sequence: throughSequence('Exactly what Relay asked to confirm.'),
      })
      .meta({ id: 'FullSyncCompleteFrame', description: 'The state was read anew.' }),
    z.strictObject({ type: z.literal('ping') }).meta({
      id: 'PingFrame',
      description: 'Keeps the connection; Relay sends none itself.',
    }),
  ])
  .meta({ id: 'ClientFrame' });
export type ClientFrame = z.infer<typeof clientFrameSchema>;
