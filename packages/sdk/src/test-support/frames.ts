import type { ServerFrame, SocketErrorCode } from '@relay/protocol';
import { exampleEvent, exampleTask } from './examples.ts';

/** Frames as Relay and agents send them. */

export function ready(acknowledged: number, fullSyncThrough: string | null = null): ServerFrame {
  return {
    type: 'ready',
    connection_id: '0192d3a4-7d60-7f5e-8b1a-3c2d1e0f9a8b',
    acked_through: String(acknowledged),
    full_sync_required: fullSyncThrough !== null,
    full_sync_through: fullSyncThrough,
    heartbeat_interval_ms: 30_000,
    max_in_flight: 64,
  };
}

export const updated = () =>
  exampleEvent('task.updated', { task: exampleTask('TASK_STATE_WORKING') });

export const frameOf = (sequence: number, event = updated()): ServerFrame => ({
  type: 'event',
  sequence: String(sequence),
  event,
});

export const errorFrame = (code: SocketErrorCode, retryable: boolean): ServerFrame => ({
  type: 'error',
  code,
  message: 'No.',
  fatal: true,
  retryable,
});

export const ackOf = (sequence: number) => ({ type: 'ack', through_sequence: String(sequence) });
