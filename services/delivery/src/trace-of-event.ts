const marker = Buffer.from('"trace_id":"');
const idLength = 32;

/** The trace that an event belongs to, from its envelope: that stands before anything a user wrote. */
export function traceOfEvent({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const start = bytes.indexOf(marker) + marker.length;
  return bytes.toString('latin1', start, start + idLength);
}
