import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Config } from './config.ts';
import { explainListenError } from './listen-error.ts';
import { metricsContentType, renderMetrics } from './metrics.ts';

/** What a service says of itself at `/readyz`. */
export interface Health {
  /** Whether it can do its work. */
  isReady(): boolean;
  /** Whether something is away that it can do without for a while. */
  isDegraded(): boolean;
}

export interface OperationsServer {
  readonly server: Server;
  readonly url: string;
  close(): Promise<void>;
}

/** `/healthz`, `/readyz` and `/metrics`, for a service that answers nothing else over HTTP. */
export async function startOperationsServer(
  config: Pick<Config, 'host' | 'port'>,
  health: Health,
): Promise<OperationsServer> {
  const server = createServer((request, response) => void answer(request, response, health));
  const { host, port } = config;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, config)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const boundPort = address !== null && typeof address === 'object' ? address.port : port;
  return {
    server,
    url: `http://${host}:${boundPort}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The answer of `GET /readyz`: without NATS a service is of no use, without Redis it is of less. */
export function renderReadiness(health: Health) {
  const isReady = health.isReady();
  const status = isReady ? (health.isDegraded() ? 'degraded' : 'ready') : 'unavailable';
  return { code: isReady ? 200 : 503, body: { status } };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  health: Health,
): Promise<void> {
  const [path] = (request.url ?? '').split('?', 1);
  if (path === '/metrics') {
    response.setHeader('content-type', metricsContentType);
    response.end(await renderMetrics());
    return;
  }
  const { code, body } =
    path === '/healthz'
      ? { code: 200, body: { status: 'ok' } }
      : path === '/readyz'
        ? renderReadiness(health)
        : { code: 404, body: { status: 'not found' } };
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
