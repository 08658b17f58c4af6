import type { Duplex } from 'node:stream';
import { restartPing } from '@relay/protocol';
import { FrameInsertion } from './frame-insertion.ts';

/** What each side sent right behind its part of the upgrade. */
export interface Heads {
  readonly client: Buffer;
  readonly delivery: Buffer;
}

const restartRequest = pingFrame(restartPing);

/** One WebSocket on its way through: an agent's connection and the one to delivery, joined. */
export class WebSocketPassage {
  readonly #client: Duplex;
  readonly #delivery: Duplex;
  readonly #toDelivery = new FrameInsertion();
  readonly ended: Promise<void>;

  constructor(client: Duplex, delivery: Duplex, heads: Heads) {
    this.#client = client;
    this.#delivery = delivery;
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.cut();
        resolve();
      };
      for (const side of [client, delivery]) side.once('close', end).once('error', end);
    });
    client.write(heads.delivery);
    this.#toDelivery.write(heads.client);
    client.pipe(this.#toDelivery).pipe(delivery).pipe(client);
  }

  /** Asks delivery, which alone speaks with agents, to have this one connect again. */
  askForRestart(): void {
    this.#toDelivery.insert(restartRequest);
  }

  cut(): void {
    for (const side of [this.#client, this.#toDelivery, this.#delivery]) side.destroy();
  }
}

/** As a client sends it, so masked (RFC 6455 §5.3); with a key of zeros the payload stays as it is. */
function pingFrame(payload: string): Buffer {
  const head = Buffer.from([0x89, 0x80 | payload.length, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.from(payload)]);
}
