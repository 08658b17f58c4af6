import { type Bus, subjects } from '@relay/bus';

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
   * Tries until there is a result, again whenever the projector has written something.
   * @returns undefined where 2 s were not enough
   */
  async until<Result>(attempt: () => Promise<Result | undefined>): Promise<Result | undefined> {
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
