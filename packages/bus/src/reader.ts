import type { JetStreamClient, JsMsg, PushConsumer } from '@nats-io/jetstream';
import type { Connection } from './connection.ts';
import { type StreamMessage, streamMessage } from './stream.ts';

/** Past this the reader stops hearing, and goes on when half of it is done. */
const maximumBytesInFlight = 8 * 1024 * 1024;
/** What a message costs beside its body: headers, and being held. */
const messageOverhead = 512;
const reopenDelay = 200;
/**
 * A reader that is behind takes so much through one consumer. The server doubles what it sends ahead up to
 * 32 MiB a consumer, and cuts off a connection for which 64 MiB wait.
 */
const consumerBytes = 2 * 1024 * 1024;

export interface ReaderOptions {
  readonly stream: string;
  /** One subject filter; nats-server 2.9 takes no more. Unset: the whole stream. */
  readonly filter?: string | undefined;
  readonly startSequence: number;
  readonly headersOnly?: boolean;
  /** Called in stream order. The promise tells when the message is done with; it must not reject. */
  readonly onMessage: (message: StreamMessage) => Promise<void>;
}

interface OpenConsumer {
  readonly consumer: PushConsumer;
  readonly messages: Awaited<ReturnType<PushConsumer['consume']>>;
}

/**
 * Reads a stream in order with an ordered push consumer, which costs less than pulling. The client lets
 * the server send as fast as it can, so the reader bounds the bytes in flight itself: it closes the
 * consumer and opens another one at the next sequence. The same mends whatever went wrong.
 */
export class Reader {
  readonly #client: JetStreamClient;
  readonly #options: ReaderOptions;
  readonly #forgetReconnects: () => void;
  #nextSequence: number;
  #bytesInFlight = 0;
  #consumer: OpenConsumer | undefined;
  /** What the open consumer has brought. */
  #brought = { bytes: 0, messages: 0 };
  #opening = false;
  #closed = false;

  constructor(connection: Connection, client: JetStreamClient, options: ReaderOptions) {
    this.#client = client;
    this.#options = options;
    this.#nextSequence = options.startSequence;
    this.#forgetReconnects = connection.onReconnect(() => this.#reopen());
    void this.#open();
  }

  close(): void {
    this.#closed = true;
    this.#forgetReconnects();
    this.#closeConsumer();
  }

  #reopen(): void {
    this.#closeConsumer();
    void this.#open();
  }

  async #open(): Promise<void> {
    if (this.#closed || this.#opening || this.#consumer || this.#isFull()) return;
    this.#opening = true;
    try {
      const consumer = await this.#consume();
      this.#consumer = consumer;
      void consumer.messages.closed().then(() => this.#afterClose(consumer));
    } catch {
      setTimeout(() => void this.#open(), reopenDelay).unref();
    } finally {
      this.#opening = false;
    }
    if (this.#closed || this.#isFull()) this.#closeConsumer();
  }

  async #consume(): Promise<OpenConsumer> {
    this.#brought = { bytes: 0, messages: 0 };
    const { stream, filter, headersOnly } = this.#options;
    const consumer = await this.#client.consumers.getPushConsumer(stream, {
      opt_start_seq: this.#nextSequence,
      ...(filter ? { filter_subjects: filter } : {}),
      ...(headersOnly ? { headers_only: true } : {}),
    });
    const messages = await consumer.consume({ callback: (message) => this.#take(message) });
    return { consumer, messages };
  }

  #take(raw: JsMsg): void {
    // A consumer that is being closed may still call back; the next one reads these again.
    if (this.#closed || raw.seq < this.#nextSequence || this.#isFull()) return;
    this.#nextSequence = raw.seq + 1;
    const bytes = raw.data.length + messageOverhead;
    this.#bytesInFlight += bytes;
    if (this.#isFull()) this.#closeConsumer();
    else if (this.#isConsumerUsedUp(raw)) this.#reopen();
    const message = streamMessage(raw.subject, raw.seq, raw.data, raw.headers);
    void this.#options.onMessage(message).then(() => this.#release(bytes));
  }

  #isConsumerUsedUp({ data, info }: JsMsg): boolean {
    this.#brought.bytes += data.length;
    this.#brought.messages += 1;
    const isBehind = info.pending > this.#brought.messages;
    return isBehind && this.#brought.bytes > consumerBytes;
  }

  #release(bytes: number): void {
    this.#bytesInFlight -= bytes;
    if (this.#bytesInFlight <= maximumBytesInFlight / 2) void this.#open();
  }

  #isFull(): boolean {
    return this.#bytesInFlight > maximumBytesInFlight;
  }

  #closeConsumer(): void {
    const open = this.#consumer;
    this.#consumer = undefined;
    if (!open) return;
    void open.messages.close();
    // Or the server keeps it for minutes, and each one slows the appends.
    open.consumer.delete().catch(() => undefined);
  }

  #afterClose(consumer: OpenConsumer): void {
    if (this.#consumer !== consumer) return;
    this.#consumer = undefined;
    setTimeout(() => void this.#open(), reopenDelay).unref();
  }
}
