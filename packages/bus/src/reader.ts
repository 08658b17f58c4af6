import type { JetStreamClient, JsMsg, PushConsumer } from '@nats-io/jetstream';
import type { Connection } from './connection.ts';
import { type StreamMessage, streamMessage } from './stream.ts';

/** Past this the reader stops hearing, and goes on when half of it is done. */
const maximumBytesInFlight = 8 * 1024 * 1024;
/** What a message costs beside its body: headers, and being held. */
const messageOverhead = 512;
const reopenDelay = 200;

export interface ReaderOptions {
  readonly stream: string;
  /** One subject filter; nats-server 2.9 takes no more. Unset: the whole stream. */
  readonly filter?: string | undefined;
  readonly startSequence: number;
  readonly headersOnly?: boolean;
  /** Called in stream order. The promise tells when the message is done with; it must not reject. */
  readonly onMessage: (message: StreamMessage) => Promise<void>;
}

type Messages = Awaited<ReturnType<PushConsumer['consume']>>;

/**
 * Reads a stream in order with an ordered push consumer, which costs less than pulling. The client lets
 * the server send as fast as it can, so the reader bounds the bytes in flight itself: it closes the
 * consumer and opens another one at the next sequence. The same mends whatever went wrong.
 */
export class Reader {
  readonly #client: JetStreamClient;
  readonly #options: ReaderOptions;
  #nextSequence: number;
  #bytesInFlight = 0;
  #messages: Messages | undefined;
  #opening = false;
  #closed = false;

  constructor(connection: Connection, client: JetStreamClient, options: ReaderOptions) {
    this.#client = client;
    this.#options = options;
    this.#nextSequence = options.startSequence;
    connection.onReconnect(() => this.#reopen());
    void this.#open();
  }

  close(): void {
    this.#closed = true;
    this.#closeConsumer();
  }

  #reopen(): void {
    this.#closeConsumer();
    void this.#open();
  }

  async #open(): Promise<void> {
    if (this.#closed || this.#opening || this.#messages || this.#isFull()) return;
    this.#opening = true;
    try {
      const messages = await this.#consume();
      this.#messages = messages;
      void messages.closed().then(() => this.#afterClose(messages));
    } catch {
      setTimeout(() => void this.#open(), reopenDelay).unref();
    } finally {
      this.#opening = false;
    }
    if (this.#closed || this.#isFull()) this.#closeConsumer();
  }

  async #consume(): Promise<Messages> {
    const { stream, filter, headersOnly } = this.#options;
    const consumer = await this.#client.consumers.getPushConsumer(stream, {
      opt_start_seq: this.#nextSequence,
      ...(filter ? { filter_subjects: filter } : {}),
      ...(headersOnly ? { headers_only: true } : {}),
    });
    return consumer.consume({ callback: (message) => this.#take(message) });
  }

  #take(raw: JsMsg): void {
    // A consumer that is being closed may still call back; the next one reads these again.
    if (this.#closed || raw.seq < this.#nextSequence || this.#isFull()) return;
    this.#nextSequence = raw.seq + 1;
    const bytes = raw.data.length + messageOverhead;
    this.#bytesInFlight += bytes;
    if (this.#isFull()) this.#closeConsumer();
    const message = streamMessage(raw.subject, raw.seq, raw.data, raw.headers);
    void this.#options.onMessage(message).then(() => this.#release(bytes));
  }

  #release(bytes: number): void {
    this.#bytesInFlight -= bytes;
    if (this.#bytesInFlight <= maximumBytesInFlight / 2) void this.#open();
  }

  #isFull(): boolean {
    return this.#bytesInFlight > maximumBytesInFlight;
  }

  #closeConsumer(): void {
    const messages = this.#messages;
    this.#messages = undefined;
    void messages?.close();
  }

  #afterClose(messages: Messages): void {
    if (this.#messages !== messages) return;
    this.#messages = undefined;
    setTimeout(() => void this.#open(), reopenDelay).unref();
  }
}
