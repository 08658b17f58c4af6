import type { IncomingHttpHeaders } from 'node:http';

const json = 'application/json';
const a2aJson = 'application/a2a+json';

export type A2aMediaType = typeof json | typeof a2aJson;

/** The parameters of the media type say nothing that JSON lets vary. */
const jsonPattern = /^application\/json\s*(?:;|$)/i;
const a2aPattern = /^application\/(?:a2a\+)?json\s*(?:;|$)/i;

/** Whether a `Content-Type` says JSON. */
export function isJson(contentType: string | undefined): boolean {
  return jsonPattern.test(contentType ?? '');
}

/** Whether a `Content-Type` says what A2A's HTTP+JSON takes (A2A 1.0.1 §11.1). */
export function isA2aJson(contentType: string | undefined): boolean {
  return a2aPattern.test(contentType ?? '');
}

/**
 * What an HTTP+JSON answer is sent as: A2A's own media type, unless the client names only plain JSON, in
 * `Accept` or, where that names neither, as the type of what it sends.
 */
export function negotiatedMediaType({
  accept = '',
  'content-type': contentType,
}: IncomingHttpHeaders): A2aMediaType {
  const ranges = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  if (ranges.includes(a2aJson)) return a2aJson;
  return ranges.includes(json) || isJson(contentType) ? json : a2aJson;
}
