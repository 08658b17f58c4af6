import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { isJsonObject } from '@relay/protocol';

export interface ProxyOptions {
  readonly relayUrl: string;
  /** The agent whose card stands at the root. */
  readonly handle: string;
  /** Of the requester: what comes without a token gets this one. */
  readonly token: string;
  /** Asked for where a card is got; none where the card with fields of both versions is wanted. */
  readonly cardVersion?: string | undefined;
}

export interface Proxy {
  readonly url: string;
  close(): void;
}

const CARD = /^\/\.well-known\/agent(-card)?\.json$/;

/**
 * Stands between the kit and Relay, since the kit sends no token, expects the card of the one agent at
 * the root, and sends one `messageId` many times, which for Relay is the same message again.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const server = createServer((request, response) => void pass(options, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function pass(
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { relayUrl, handle } = options;
  const { method = 'GET', url = '/' } = request;
  const isCard = CARD.test(url);
  const chunks: Buffer[] = await request.toArray();
  const body = withOwnMessageId(Buffer.concat(chunks).toString());
  const onward = sendRequest(relayUrl, {
    method,
    path: isCard ? `/${handle}${url}` : url,
    headers: headersOf(options, request.headers, { isCard, length: Buffer.byteLength(body) }),
  });
  onward.once('response', (answer: IncomingMessage) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
    answer.once('close', () => response.end());
  });
  onward.once('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  onward.end(body);
}

/** The host stays the proxy's: the addresses that Relay writes into cards then lead back here. */
function headersOf(
  { token, cardVersion }: ProxyOptions,
  headers: IncomingHttpHeaders,
  { isCard, length }: { readonly isCard: boolean; readonly length: number },
): IncomingHttpHeaders {
  const { 'transfer-encoding': _, ...kept } = headers;
  return {
    authorization: `Bearer ${token}`,
    ...(isCard && cardVersion ? { 'a2a-version': cardVersion } : {}),
    ...kept,
    ...(length > 0 ? { 'content-length': String(length) } : {}),
  };
}

/** A suffix, since the worker goes by the beginning. What is no message goes on as it came. */
function withOwnMessageId(body: string): string {
  const parsed = parseObject(body);
  const holder = isJsonObject(parsed?.['params']) ? parsed['params'] : parsed;
  const message = holder?.['message'] ?? holder?.['request'];
  if (!isJsonObject(message) || typeof message['messageId'] !== 'string') return body;
  message['messageId'] += `-${randomUUID()}`;
  return JSON.stringify(parsed);
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
