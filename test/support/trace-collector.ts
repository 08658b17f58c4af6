import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';

const attributeSchema = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
});
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attributeSchema),
  status: z.object({ code: z.number() }),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema> & { readonly service: string };

/** Takes traces as an OpenTelemetry collector does, by OTLP over HTTP with JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => void collector.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const collector = new TraceCollector(server, `http://127.0.0.1:${address.port}`);
    return collector;
  }

  /** Of a trace, by name. */
  named(traceId: string, name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId && span.name === name);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/v1/traces') throw new Error(`exported to ${request.url}`);
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name');
      const service = name?.value.stringValue ?? '';
      for (const { spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, service })));
      }
    }
  }
}
