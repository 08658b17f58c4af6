import { randomBytes } from 'node:crypto';

/** One unit of work of a trace. Ids are the hex of W3C Trace Context. */
export interface Span {
  readonly name: string;
  /** Who asked (`server`), was asked (`client`), or what goes on by itself. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly traceId: string;
  readonly spanId?: string | undefined;
  readonly parentId?: string | undefined;
  /** Milliseconds since the epoch; it ends now. */
  readonly startedAt: number;
  /** What it failed of. */
  readonly failure?: string | undefined;
  /** Undefined ones are left out. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

type Recorder = (span: Span) => void;

let record: Recorder | undefined;

/** Whether spans go anywhere. Ask before one is made: most relays trace nothing. */
export function isTracing(): boolean {
  return record !== undefined;
}

export function recordSpan(span: Span): void {
  record?.(span);
}

/** @returns a function that ends it */
export function traceTo(recorder: Recorder): () => void {
  record = recorder;
  return () => {
    record = undefined;
  };
}

export function makeSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** The request that is open in each trace: of several at once, the last. */
const openSpans = new Map<string, string>();

/** @returns the span's id; it is recorded by {@link recordSpan} when it is over */
export function openSpan(traceId: string): string {
  const spanId = makeSpanId();
  openSpans.set(traceId, spanId);
  return spanId;
}

/** What goes on in a trace belongs below the request that is open in it, if any. */
export function openSpanOf(traceId: string): string | undefined {
  return openSpans.get(traceId);
}

export function closeSpan(traceId: string, spanId: string): void {
  if (openSpans.get(traceId) === spanId) openSpans.delete(traceId);
}

/**
 * The span of a change or an event, made of its id: whatever comes of it later, in whichever process, belongs
 * below it, and nothing more has to be stored or sent for that.
 */
export function spanIdOf(id: string): string {
  return id.replaceAll('-', '').slice(0, 16);
}
