import type { Bus, Reader, Stream, StreamMessage } from '@relay/bus';
import { RelayError } from '@relay/protocol';
import type { SharedPause } from '../pause.ts';

/** What was to come may have been replaced or removed meanwhile. */
const lookAgainAfter = 1_000;

export interface FollowedStreamOptions {
  readonly bus: Bus;
  readonly pause: SharedPause;
  readonly stream: Stream;
  readonly filter: string;
  readonly headersOnly: boolean;
  readonly onMessage: (message: StreamMessage) => void;
  /** A message could not be taken; it is passed over. */
  readonly onError: (message: StreamMessage, error: unknown) => void;
}

/** Reads all that a stream holds under a filter, then goes on with what is stored. */
export class FollowedStream {
  /** Resolves when all that was stored before has been read, or when it is closed. */
  readonly loaded: Promise<void>;
  readonly #options: FollowedStreamOptions;
  readonly #reader: Reader;
  #lastSequence = 0;
  #isClosed = false;
  #onMoved: () => void = () => undefined;

  constructor(options: FollowedStreamOptions) {
    this.#options = options;
    const { bus, stream, filter, headersOnly } = options;
    this.#reader = bus.read({
      stream: stream.name,
      filter,
      headersOnly,
      startSequence: 1,
      onMessage: async (message) => this.#take(message),
    });
    this.loaded = this.#load();
  }

  close(): void {
    this.#isClosed = true;
    this.#reader.close();
    this.#onMoved();
  }

  #take(message: StreamMessage): void {
    if (this.#isClosed) return;
    this.#lastSequence = message.sequence;
    try {
      this.#options.onMessage(message);
    } catch (error) {
      this.#options.onError(message, error);
    }
    this.#onMoved();
  }

  async #load(): Promise<void> {
    for (;;) {
      const end = await this.#readEnd();
      if (this.#isClosed || (end !== undefined && end <= this.#lastSequence)) return;
      if (end === undefined) await this.#options.pause.wait();
      else await this.#hasPassed(end);
    }
  }

  /** Undefined where NATS is away. */
  async #readEnd(): Promise<number | undefined> {
    const { stream, filter } = this.#options;
    try {
      return (await stream.readLast(filter))?.sequence ?? 0;
    } catch (error) {
      if (error instanceof RelayError) return undefined;
      throw error;
    }
  }

  #hasPassed(end: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookAgainAfter);
      this.#onMoved = () => {
        if (this.#lastSequence < end && !this.#isClosed) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
