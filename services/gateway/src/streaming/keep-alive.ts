import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { EventStream } from './event-stream.ts';

/** One timer keeps all event streams of this process alive, and cuts off readers that stopped reading. */
export class KeepAlive {
  readonly #streams = new Set<EventStream>();
  readonly #timer: NodeJS.Timeout;

  constructor(seconds: number) {
    this.#timer = setInterval(() => {
      for (const stream of this.#streams) stream.keepAlive();
    }, seconds * 1_000).unref();
  }

  /** Answers with an event stream, looked after until its connection is closed or used for the next request. */
  open(response: ServerResponse, headers: OutgoingHttpHeaders): EventStream {
    const stream = new EventStream(response, headers);
    this.#streams.add(stream);
    response.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
