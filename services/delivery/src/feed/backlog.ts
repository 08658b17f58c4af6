import { type Bus, type StreamMessage, streams, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';

/** Each costs the server a consumer. */
const maximumAtOnce = 4;
/** Then it looks whether more is to come at all: it may have been removed, or NATS may be stalled. */
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

interface StretchOutcome {
  readonly isDone: boolean;
  /** Sequence of the last message that came. */
  readonly after: number;
}

/** Reads long stretches of inboxes through consumers, a few at a time. */
export class BacklogReader {
  readonly #bus: Bus;
  readonly #queue: (() => void)[] = [];
  #reading = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Resolves when the range is read, or when `take` has enough. Rejects with what `take` throws. */
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

  async #readRange(range: BacklogRange): Promise<void> {
    let { after } = range;
    for (;;) {
      const outcome = await this.#readUntilSilence({ ...range, after });
      if (outcome.isDone || !(await this.#isMoreStored({ ...range, after: outcome.after }))) return;
      after = outcome.after;
    }
  }

  /** Without an answer there may be: a reading that ended early would pass over what is left. */
  async #isMoreStored({ agentId, after, through }: Omit<BacklogRange, 'take'>): Promise<boolean> {
    try {
      const { stream } = this.#bus.inbox;
      const next = await stream.readNext(subjects.inbox(agentId), after + 1);
      return next !== undefined && next.sequence <= through;
    } catch {
      return true;
    }
  }

  #readUntilSilence({ agentId, after, through, take }: BacklogRange): Promise<StretchOutcome> {
    return new Promise((resolve, reject) => {
      let last = after;
      const end = (isDone: boolean) => {
        clearTimeout(silence);
        reader.close();
        resolve({ isDone, after: last });
      };
      // Within its turn: what comes behind one that cannot be read must not be taken before that is known.
      const takeNext = (message: StreamMessage) => {
        silence.refresh();
        last = message.sequence;
        try {
          if (!take(message) || message.sequence >= through) end(true);
        } catch (error) {
          reject(error);
          end(true);
        }
      };
      const silence = setTimeout(() => end(false), silenceMilliseconds);
      const reader = this.#bus.read({
        stream: streams.inbox,
        filter: subjects.inbox(agentId),
        startSequence: after + 1,
        onMessage: async (message) => takeNext(message),
      });
    });
  }
}
