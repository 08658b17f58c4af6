import { WebSocket } from 'ws';
import type { CrowdOrder, Received } from './orders.ts';

/** Handshakes at once: fewer than a listening socket lets wait. */
const handshakes = 250;
const pingMilliseconds = 25_000;
const eventStart = '{"type":"event"';
const sequencePattern = /"sequence":"(\d+)"/;

/** Many WebSockets that do the least: they count events, and the first one acknowledges them for all. */
export class Crowd {
  readonly #order: CrowdOrder;
  #sockets: WebSocket[] = [];
  #frames = 0;
  #firstAt = 0;
  #onFrame: () => void = () => undefined;

  constructor(order: CrowdOrder) {
    this.#order = order;
    setInterval(() => this.#ping(), pingMilliseconds);
  }

  /** @returns milliseconds until the last one was ready */
  async open(): Promise<number> {
    const startedAt = performance.now();
    const { tokens } = this.#order;
    let next = 0;
    const openSome = async () => {
      for (let at = next++; at < tokens.length; at = next++) await this.#openOne(at);
    };
    await Promise.all(Array.from({ length: handshakes }, openSome));
    return performance.now() - startedAt;
  }

  /** Cuts all at once, as a network that fails does. */
  cut(): void {
    for (const socket of this.#sockets.splice(0)) socket.terminate();
  }

  /** Resolves when each has got so many events more. */
  receive(events: number): Promise<Received> {
    const frames = events * this.#sockets.length;
    this.#frames = 0;
    return new Promise((resolve) => {
      this.#onFrame = () => {
        if (this.#frames < frames) return;
        this.#onFrame = () => undefined;
        resolve({ frames, first: this.#firstAt, last: performance.now() });
      };
    });
  }

  #openOne(index: number): Promise<void> {
    const { origin, tokens } = this.#order;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/websocket`, {
      headers: { authorization: `Bearer ${tokens[index]}` },
      perMessageDeflate: false,
    });
    this.#sockets.push(socket);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('message', () => {
        socket.off('error', reject);
        socket.on('error', () => undefined);
        socket.on('message', (data) => {
          if (Buffer.isBuffer(data)) this.#take(index, socket, data.toString());
        });
        resolve();
      });
    });
  }

  #take(index: number, socket: WebSocket, frame: string): void {
    if (!frame.startsWith(eventStart)) return;
    if (this.#frames === 0) this.#firstAt = performance.now();
    this.#frames += 1;
    if (index === 0) {
      const sequence = sequencePattern.exec(frame)?.[1];
      socket.send(`{"type":"ack","through_sequence":"${sequence}"}`);
    }
    this.#onFrame();
  }

  #ping(): void {
    for (const socket of this.#sockets) {
      if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
    }
  }
}
