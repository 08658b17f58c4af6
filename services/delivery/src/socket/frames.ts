import type { ServerFrame } from '@relay/protocol';

type ErrorFrame = Extract<ServerFrame, { type: 'error' }>;
export type SentErrorCode = Exclude<
  ErrorFrame['code'],
  'ack_failed' | 'delivery_failed' | 'full_sync_required'
>;

/** Contract §6.6: an SDK connects again after an error that is retryable, and stops for good after another. */
const errors: Record<SentErrorCode, Omit<ErrorFrame, 'type' | 'code'>> = {
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
  full_sync_mismatch: {
    message: 'No full sync with this boundary is due.',
    fatal: false,
    retryable: false,
  },
};

export function errorFrame(code: SentErrorCode): ErrorFrame {
  return { type: 'error', code, ...errors[code] };
}

const eventFrameEnd = Buffer.from('}');

/** An event frame around the stored bytes of an event, which every copy of it has. */
export function eventFrame(sequence: number, event: Uint8Array): Buffer {
  const start = Buffer.from(`{"type":"event","sequence":"${sequence}","event":`);
  return Buffer.concat([start, event, eventFrameEnd]);
}
