/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): seconds, or a date.
 * @param now milliseconds since the epoch
 * @returns whole seconds from now, 0 for a date that has passed; none when it cannot be read
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
