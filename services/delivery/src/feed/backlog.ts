import { type Bus, type StreamMessage, streams, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';

/** Each costs the server a consumer. */
const maximumAtOnce = 4;
/** A message that was to come may have been removed meanwhile. */
const silenceMilliseconds = 5_000;

export interface BacklogRange {
  readonly agentId: AgentId;
  /** Sequence of the last message that was read. */
  readonly after: number;
  /** Sequence of the last message to read. */
  readonly through: number;
  /** Takes the next message; false ends the reading, and so does what it throws. */
  readonly take: (message: StreamMessage) => boolean;
}

/** Reads long stretches of inboxes through consumers, a few at a time. */
export class BacklogReader {
  readonly #bus: Bus;
  readonly #queue: (() => void)[] = [];
  #reading = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Resolves when the range is read, when `take` has enough, or when nothing more comes. Rejects with what `take` throws. */
  async read(range: BacklogRange): Promise<void> {
    await this.#takeTurn();
    try {
      await this.#readRange(range);
    } finally {
      this.#giveTurn();
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#reading < maximumAtOnce) this.#reading += 1;
    else await new Promise<void>((start) => this.#queue.push(start));
  }

  #giveTurn(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#reading -= 1;
  }

  #readRange({ agentId, after, through, take }: BacklogRange): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(silence);
        reader.close();
      };
      const end = () => {
        stop();
        resolve();
      };
      const takeNext = async (message: StreamMessage) => {
        silence.refresh();
        if (!take(message) || message.sequence >= through) end();
      };
      const silence = setTimeout(end, silenceMilliseconds);
      const reader = this.#bus.read({
        stream: streams.inbox,
        filter: subjects.inbox(agentId),
        startSequence: after + 1,
        onMessage: (message) =>
          takeNext(message).catch((error: unknown) => {
            stop();
            reject(error);
          }),
      });
    });
  }
}
