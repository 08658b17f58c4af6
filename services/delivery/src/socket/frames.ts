import {
  type ClientFrame,
  clientFrameSchema,
  closeCodes,
  type DisconnectReason,
  heartbeatIntervalMilliseconds,
  maximumInFlight,
  type ServerFrame,
  type SocketErrorCode,
} from '@relay/protocol';

type ErrorFrame = Extract<ServerFrame, { type: 'error' }>;

/** Contract §6.6: an SDK connects again after an error that is retryable, and stops for good after another. */
const errors: Record<SocketErrorCode, Omit<ErrorFrame, 'type' | 'code'>> = {
  invalid_frame: {
    message: 'The frame is not one that Relay knows.',
    fatal: false,
    retryable: false,
  },
  ack_out_of_range: {
    message: 'The sequence was not sent on this connection.',
    fatal: false,
    retryable: false,
  },
  stale_connection: {
    message: 'The acknowledgement came too late. Connect again.',
    fatal: true,
    retryable: true,
  },
  ack_failed: {
    message: 'The acknowledgement could not be kept. Connect again.',
    fatal: true,
    retryable: true,
  },
  delivery_failed: {
    message: 'The next event could not be read. Connect again.',
    fatal: true,
    retryable: true,
  },
  full_sync_required: {
    message: 'Confirm the full sync first.',
    fatal: false,
    retryable: true,
  },
  full_sync_mismatch: {
    message: 'No full sync with this boundary is due.',
    fatal: false,
    retryable: false,
  },
};

export const disconnectCodes: Record<DisconnectReason, number> = {
  revoked: closeCodes.revoked,
  heartbeat_timeout: closeCodes.heartbeatTimeout,
  restart: closeCodes.restart,
  webhook_configured: closeCodes.webhookConfigured,
};

export interface Beginning {
  readonly connectionId: string;
  readonly acked: number;
  readonly fullSyncThrough: number | null;
  readonly isObserver: boolean;
}

/** The first frames of a connection. */
export function firstFrames(beginning: Beginning): readonly ServerFrame[] {
  const { connectionId, acked, fullSyncThrough, isObserver } = beginning;
  const boundary = fullSyncThrough === null ? null : String(fullSyncThrough);
  const ready: ServerFrame = {
    type: 'ready',
    connection_id: connectionId,
    acked_through: String(acked),
    full_sync_required: boundary !== null,
    full_sync_through: boundary,
    heartbeat_interval_ms: heartbeatIntervalMilliseconds,
    max_in_flight: maximumInFlight,
    ...(isObserver ? { observational: true } : {}),
  };
  if (boundary === null) return [ready];
  const reason = 'checkpoint_outside_retention';
  return [ready, { type: 'full_sync', through_sequence: boundary, reason }];
}

/** Undefined where it is none of the client's frames. */
export function readClientFrame(text: string): ClientFrame | undefined {
  try {
    return clientFrameSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function errorFrame(code: SocketErrorCode): ErrorFrame {
  return { type: 'error', code, ...errors[code] };
}

const eventFrameEnd = Buffer.from('}');

/** An event frame around the stored bytes of an event, which every copy of it has. */
export function eventFrame(sequence: number, event: Uint8Array): Buffer {
  const start = Buffer.from(`{"type":"event","sequence":"${sequence}","event":`);
  return Buffer.concat([start, event, eventFrameEnd]);
}
