import { type IncomingMessage, request as openRequest, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds that delivery has to take an upgrade. */
const upgradeTimeout = 10_000;
const drainTick = 10;

/**
 * Passes WebSockets through to delivery byte by byte, so that clients know one origin. What delivery
 * refuses reaches the client as delivery said it, which a proxy that upgrades first could not do.
 */
export class UpgradeTunnel {
  readonly #deliveryUrl: string;
  readonly #open = new Set<Duplex>();
  #isDraining = false;

  constructor(deliveryUrl: string) {
    this.#deliveryUrl = deliveryUrl;
  }

  handleUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    client.on('error', () => client.destroy());
    if (this.#isDraining) return answerUnavailable(client);
    const upstream = openRequest(new URL(request.url ?? '/', this.#deliveryUrl), {
      method: request.method ?? 'GET',
      headers: { ...request.headers, host: new URL(this.#deliveryUrl).host },
      timeout: upgradeTimeout,
      agent: false,
    });
    client.once('close', () => upstream.destroy());
    upstream.once('timeout', () => upstream.destroy(new Error('delivery does not answer')));
    upstream.once('error', () => answerUnavailable(client));
    upstream.once('response', (response) => passRefusal(response, client));
    upstream.once('upgrade', (response, delivery, deliveryHead) => {
      client.write(renderHead(response));
      this.#join(client, delivery, { head, deliveryHead });
    });
    upstream.end();
  }

  /** Cuts what it passes through, spread over the time, so that not all agents come back at once. */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    const batchSize = Math.ceil((this.#open.size * drainTick) / Math.max(drainTick, seconds * 500));
    while (this.#open.size > 0) {
      for (const client of [...this.#open].slice(0, batchSize)) {
        this.#open.delete(client);
        client.end();
      }
      await new Promise((resolve) => setTimeout(resolve, drainTick));
    }
  }

  #join(client: Duplex, delivery: Duplex, heads: { head: Buffer; deliveryHead: Buffer }): void {
    this.#open.add(client);
    const end = () => {
      this.#open.delete(client);
      client.destroy();
      delivery.destroy();
    };
    for (const side of [client, delivery]) side.once('close', end).once('error', end);
    client.write(heads.deliveryHead);
    delivery.write(heads.head);
    client.pipe(delivery).pipe(client);
  }
}

function passRefusal(response: IncomingMessage, client: Duplex): void {
  client.write(renderHead(response));
  response.pipe(client);
}

function renderHead({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : [],
  );
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...headers, '', ''].join('\r\n');
}

function answerUnavailable(client: Duplex): void {
  client.end(
    `HTTP/1.1 503 ${STATUS_CODES[503]}\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
