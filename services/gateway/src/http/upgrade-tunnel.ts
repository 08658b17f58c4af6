import { type IncomingMessage, request as openRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from '@relay/runtime';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { type Heads, WebSocketPassage } from './web-socket-passage.ts';

/** Milliseconds that delivery has to take an upgrade. */
const upgradeTimeout = 10_000;
/** Of the time to drain, for asking; the rest is for the ends. */
const askingShare = 0.6;
/** Milliseconds that delivery has to end what it was asked to. */
const endTimeout = 4_000;

/**
 * Passes WebSockets through to delivery byte by byte, so that clients know one origin. What delivery
 * refuses reaches the client as delivery said it, which a proxy that upgrades first could not do
 * (docs/decisions/0004).
 */
export class UpgradeTunnel {
  readonly #deliveryUrl: string;
  readonly #open = new Set<WebSocketPassage>();
  #isDraining = false;

  constructor(deliveryUrl: string) {
    this.#deliveryUrl = deliveryUrl;
  }

  handleUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    client.on('error', () => client.destroy());
    if (this.#isDraining) return refuseUpgrade(client);
    const upstream = openRequest(new URL(request.url ?? '/', this.#deliveryUrl), {
      method: request.method ?? 'GET',
      headers: { ...request.headers, host: new URL(this.#deliveryUrl).host },
      timeout: upgradeTimeout,
      agent: false,
    });
    client.once('close', () => upstream.destroy());
    upstream.once('timeout', () => upstream.destroy(new Error('delivery does not answer')));
    upstream.once('error', () => refuseUpgrade(client));
    upstream.once('response', (response) => passRefusal(response, client));
    upstream.once('upgrade', (response, delivery, deliveryHead) => {
      if (this.#isDraining) {
        delivery.destroy();
        return refuseUpgrade(client);
      }
      client.write(renderHead(response));
      this.#join(client, delivery, { client: head, delivery: deliveryHead });
    });
    upstream.end();
  }

  /**
   * Has the agents behind it connect again, spread over the time, so that not all come back at once.
   * Resolves when none is left.
   */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    await spread(this.#open, seconds * askingShare, (passage) => passage.askForRestart());
    const left = [...this.#open];
    await Promise.race([
      Promise.all(left.map(({ ended }) => ended)),
      sleep(endTimeout, undefined, { ref: false }),
    ]);
    for (const passage of left) passage.cut();
  }

  #join(client: Duplex, delivery: Duplex, heads: Heads): void {
    const passage = new WebSocketPassage(client, delivery, heads);
    this.#open.add(passage);
    void passage.ended.then(() => this.#open.delete(passage));
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
