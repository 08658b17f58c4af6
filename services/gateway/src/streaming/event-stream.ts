import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** One response of Server-Sent Events. What a slow reader has not taken is waited for, never skipped. */
export class EventStream {
  readonly #response: ServerResponse;

  /** @param patience milliseconds after which a reader that takes nothing is cut off; it can resume */
  constructor(response: ServerResponse, headers: OutgoingHttpHeaders, patience: number) {
    this.#response = response;
    response.setTimeout(patience, () => response.destroy());
    response.writeHead(200, { ...headers, ...eventStreamHeaders });
    response.flushHeaders();
  }

  /** Resolves when the reader has room for more, or the signal says that nobody waits for that. */
  async send(frame: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#response.write(frame)) return;
    await once(this.#response, 'drain', { signal }).catch(() => undefined);
  }

  keepAlive(): void {
    const { writableEnded, writableNeedDrain } = this.#response;
    if (!writableEnded && !writableNeedDrain) this.#response.write(': keep-alive\n\n');
  }

  /** The last words, if any, and the end. */
  end(frame?: string): void {
    this.#response.end(frame);
  }
}

/** @param data JSON, which holds no line break as Relay writes it */
export function encodeEvent(data: string, id?: number): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}

/** The event by which HTTP+JSON tells that a stream has failed. */
export function encodeErrorEvent(data: string): string {
  return `event: error\ndata: ${data}\n\n`;
}
