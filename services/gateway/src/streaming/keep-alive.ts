import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { EventStream } from './event-stream.ts';

/** A reader may take nothing for so many keep-alive intervals. */
const patience = 5;

/** One timer keeps all event streams of this process alive. */
export class KeepAlive {
  readonly #streams = new Set<EventStream>();
  readonly #seconds: number;
  readonly #timer: NodeJS.Timeout;

  constructor(seconds: number) {
    this.#seconds = seconds;
    this.#timer = setInterval(() => {
      for (const stream of this.#streams) stream.keepAlive();
    }, seconds * 1_000).unref();
  }

  /** Answers with an event stream, looked after until its connection is closed or used for the next request. */
  open(response: ServerResponse, headers: OutgoingHttpHeaders): EventStream {
    const stream = new EventStream(response, headers, patience * this.#seconds * 1_000);
    // One that was closed before tells that no more.
    if (response.destroyed) return stream;
    this.#streams.add(stream);
    response.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
