import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
} from '@opentelemetry/sdk-trace-base';
import { makeSpanId, type Span, traceTo } from './tracing.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Spans are made when they are over, with ids that are known: the SDK is told them, one at a time. */
class GivenIds implements IdGenerator {
  traceId = '';
  spanId: string | undefined;

  readonly generateTraceId = () => this.traceId;
  readonly generateSpanId = () => this.spanId ?? makeSpanId();
}

/**
 * Sends spans to an OpenTelemetry collector by OTLP over HTTP.
 * @param url the collector's; `/v1/traces` is added
 * @returns a function that sends what is left and ends it
 */
export function startTracing(url: string, service: string): () => Promise<void> {
  const ids = new GivenIds();
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const provider = new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    resource: resourceFromAttributes({
      'service.name': `relay-${service}`,
      'service.namespace': 'relay',
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('relay');
  const end = traceTo((span: Span) => {
    ids.traceId = span.traceId;
    ids.spanId = span.spanId;
    const { name, startedAt: startTime, attributes } = span;
    const options = { kind: kinds[span.kind], startTime, attributes };
    const made = tracer.startSpan(name, options, contextOf(span));
    if (span.failure !== undefined) {
      made.setStatus({ code: SpanStatusCode.ERROR, message: span.failure });
    }
    made.end();
  });
  return async () => {
    end();
    await provider.shutdown();
  };
}

function contextOf({ traceId, parentId }: Span) {
  if (parentId === undefined) return ROOT_CONTEXT;
  const parent = { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
