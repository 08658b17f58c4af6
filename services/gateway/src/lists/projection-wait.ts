import { type Bus, type Stream, subjects } from '@relay/bus';
import { RelayError } from '@relay/protocol';

const longestWait = 2_000;

/** Tells when the projector has written more, so that a list can wait for what it needs. */
export class ProjectionWait {
  readonly #bus: Bus;
  readonly #unsubscribe: () => void;
  /** Counts what was heard: a batch between a look and the wait is not missed. */
  #batches = 0;
  #waiting = new Set<() => void>();

  constructor(bus: Bus) {
    this.#bus = bus;
    const subscription = bus.live.subscribeCore(subjects.projected, () => this.#wakeAll());
    subscription.ready.catch(() => undefined);
    this.#unsubscribe = () => subscription.unsubscribe();
  }

  /**
   * What an index says when it has reached its record as that is now.
   * @param attempt gives nothing while the index has not reached the sequence
   * @throws RelayError unavailable while Redis is away or behind for 2 s
   */
  async reached<Result>(
    record: Stream,
    attempt: (sequence: number) => Promise<Result | undefined>,
  ): Promise<Result> {
    const sequence = await record.lastSequence();
    const result = await this.#until(() => attempt(sequence)).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (result === undefined) throw unavailable(`The index of ${record.name} is behind`);
    return result;
  }

  /** Tries until there is a result, again whenever the projector has written something. */
  async #until<Result>(attempt: () => Promise<Result | undefined>): Promise<Result | undefined> {
    const end = performance.now() + longestWait;
    for (;;) {
      const heard = this.#batches;
      const result = await attempt();
      const remaining = end - performance.now();
      if (result !== undefined || remaining <= 0) return result;
      this.#bus.live.publish(subjects.nudgeProjector, '');
      if (heard === this.#batches) await this.#nextBatch(remaining);
    }
  }

  close(): void {
    this.#unsubscribe();
    this.#wakeAll();
  }

  #nextBatch(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#waiting.add(wake);
    });
  }

  #wakeAll(): void {
    this.#batches += 1;
    for (const wake of this.#waiting) wake();
  }
}

function unavailable(cause: unknown): RelayError {
  const error = new RelayError({ error: 'unavailable', retryAfterSeconds: 1 });
  error.cause = cause;
  return error;
}
