import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A reader that takes nothing for so many keep-alive intervals is cut off. It can resume where it was. */
const patience = 5;

const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** One response of Server-Sent Events. What a slow reader has not taken is waited for, never skipped. */
export class EventStream {
  readonly #response: ServerResponse;
  #intervalsBlocked = 0;

  constructor(response: ServerResponse, headers: OutgoingHttpHeaders) {
    this.#response = response;
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
    if (!writableEnded && !writableNeedDrain) {
      this.#intervalsBlocked = 0;
      this.#response.write(': keep-alive\n\n');
      return;
    }
    this.#intervalsBlocked += 1;
    if (this.#intervalsBlocked > patience) this.#response.destroy();
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
