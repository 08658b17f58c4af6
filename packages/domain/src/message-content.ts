import type { Part, Refusal } from '@relay/protocol';

const textTypes = new Set(['text/plain', 'application/json']);

/**
 * Whether a message on a task may hold these parts (seed, "Check the limits"): text and data, and files
 * that say they are plain text or JSON.
 */
export function checkMessageParts(parts: readonly Part[]): Refusal | undefined {
  return parts.every(isAccepted) ? undefined : { error: 'contentTypeNotSupported' };
}

function isAccepted(part: Part): boolean {
  const mediaType = part.mediaType?.split(';', 1)[0]?.trim().toLowerCase();
  if ('text' in part) return mediaType === undefined || textTypes.has(mediaType);
  if ('data' in part) return mediaType === undefined || mediaType === 'application/json';
  return mediaType !== undefined && textTypes.has(mediaType);
}
