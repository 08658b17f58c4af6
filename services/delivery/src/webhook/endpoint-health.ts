import type { RetrySchedule } from './retry-schedule.ts';

/** How many requests one endpoint gets at once. */
export const maximumSlots = 8;
/** So many failures in a row, of whatever events, make an endpoint rest. */
const failuresToRest = 10;
const longestRest = 60_000;

/**
 * What one endpoint may be sent at once. After too many failures in a row it rests, then gets one event;
 * when that fails it rests for longer, and when it succeeds the endpoint gets 1, 2, 4, 8 at once.
 */
export class EndpointHealth {
  readonly #schedule: RetrySchedule;
  #failures = 0;
  #rests = 0;
  #slots = maximumSlots;
  #restUntil = 0;

  /** @param schedule whose pauses the rests follow, as far as a minute */
  constructor(schedule: RetrySchedule) {
    this.#schedule = schedule;
  }

  get slots(): number {
    return this.#slots;
  }

  /** Milliseconds since the epoch. */
  get restUntil(): number {
    return this.#restUntil;
  }

  /** Whether it failed so often that it is tried with one event at a time. */
  get isFailing(): boolean {
    return this.#rests > 0;
  }

  /** Whether it gets less at once than it could, since it failed so often: each failure makes it rest again. */
  get isRecovering(): boolean {
    return this.#slots < maximumSlots;
  }

  /** It answered, whatever it thinks of the event. */
  answered(): void {
    this.#failures = 0;
    // The one event that it was tried with: from here it is slowly given more.
    this.#slots = this.#rests > 0 ? 1 : Math.min(maximumSlots, this.#slots * 2);
    this.#rests = 0;
  }

  /**
   * @param now milliseconds since the epoch
   * @param pauseUntil how long the receiver asked to be left alone, or 0
   */
  failed(now: number, pauseUntil: number): void {
    this.#failures += 1;
    const isRestDue = this.#failures >= failuresToRest || this.isRecovering;
    // Those that were in flight together are one failure of the endpoint.
    if (isRestDue && now >= this.#restUntil) this.#rest(now);
    this.#restUntil = Math.max(this.#restUntil, pauseUntil);
  }

  #rest(now: number): void {
    const pause = this.#schedule[Math.min(this.#rests, this.#schedule.length - 1)] ?? longestRest;
    this.#rests += 1;
    this.#slots = 1;
    this.#restUntil = now + Math.min(pause, longestRest);
  }
}
