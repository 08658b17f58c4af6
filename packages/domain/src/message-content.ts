import type { Part, Refusal } from '@relay/protocol';

const textTypes = new Set(['text/plain', 'application/json']);

/**
 * Whether a message on a task may hold these parts (seed, "Check the limits"): text and data, and files
 * that say they are plain text or JSON.
 * @param declaredModes what else the callee says that it takes: media types, or all of a kind as `image/*`
 */
export function checkMessageParts(
  parts: readonly Part[],
  declaredModes: readonly string[],
): Refusal | undefined {
  const isDeclared = (mediaType: string) =>
    declaredModes.includes(mediaType) || declaredModes.includes(mediaType.replace(/\/.*$/, '/*'));
  return parts.every((part) => isAccepted(part, isDeclared))
    ? undefined
    : { error: 'contentTypeNotSupported' };
}

function isAccepted(part: Part, isDeclared: (mediaType: string) => boolean): boolean {
  const mediaType = part.mediaType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === undefined) return 'text' in part || 'data' in part;
  if (isDeclared(mediaType)) return true;
  return 'data' in part ? mediaType === 'application/json' : textTypes.has(mediaType);
}
