import {
  type EventEnvelope,
  eventEnvelopeSchema,
  eventTypes,
  type ServerFrame,
  serverFrameSchema,
} from '@relay/protocol';
import { jsonIn } from '../http/json.ts';
import { ProtocolError } from './socket-error.ts';

export type FrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>;

const knownEventTypes: ReadonlySet<string> = new Set(eventTypes);

/** @throws ProtocolError when the text is not a frame exactly as Relay sends them */
export function readServerFrame(text: string): ServerFrame {
  const frame = serverFrameSchema.safeParse(jsonIn(text));
  if (!frame.success) throw new ProtocolError(`Not a frame: ${frame.error.message}`);
  return frame.data;
}

/**
 * The event in a frame; none when its type is newer than this package.
 * @throws ProtocolError when it is not an event of its type
 */
export function readEvent({ event }: FrameOf<'event'>): EventEnvelope | undefined {
  if (!knownEventTypes.has(event.event_type)) return undefined;
  const envelope = eventEnvelopeSchema.safeParse(event);
  if (!envelope.success) throw new ProtocolError(`Not an event: ${envelope.error.message}`);
  return envelope.data;
}

/**
 * What a full sync must confirm; none when no full sync is due.
 * @throws ProtocolError when the frame says both
 */
export function fullSyncBoundary(ready: FrameOf<'ready'>): string | undefined {
  const { full_sync_required: isRequired, full_sync_through: boundary } = ready;
  if (isRequired !== (boundary !== null)) throw new ProtocolError('full_sync_through is unclear.');
  return boundary ?? undefined;
}
