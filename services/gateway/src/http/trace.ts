import { randomUUID } from 'node:crypto';
import { type TraceId, traceIdSchema } from '@relay/protocol';

/** W3C Trace Context: version, trace id, parent id, flags. Later versions may add fields. */
const traceparentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-/;

/** The caller's span, where it can be read. */
export function parentIdOf(traceparent: string | string[] | undefined): string | undefined {
  return typeof traceparent === 'string' ? traceparentPattern.exec(traceparent)?.[2] : undefined;
}

/** The caller's trace, or a new one where there is none that can be read. */
export function traceIdOf(traceparent: string | string[] | undefined): TraceId {
  const given = typeof traceparent === 'string' ? traceparentPattern.exec(traceparent)?.[1] : null;
  return traceIdSchema.parse(given ?? randomUUID().replaceAll('-', ''));
}
