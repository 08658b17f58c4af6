import { Lane } from './lane.ts';

/** The lanes of one endpoint: which may be sent from now, and when the next one may. One timer for all. */
export class LaneSchedule {
  readonly #onDue: () => void;
  readonly #lanes = new Map<string, Lane>();
  /** Those whose head may be sent, the one that waited longest first. */
  readonly #ready = new Set<Lane>();
  /** Those whose head has to wait for its next attempt. */
  readonly #waiting = new Set<Lane>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  /** @param onDue there may be a lane to send from */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  get lanes(): Iterable<Lane> {
    return this.#lanes.values();
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** @param key id of a task or chat */
  laneOf(key: string): Lane {
    const lane = this.#lanes.get(key) ?? new Lane(key);
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Puts a lane where it belongs after its head, or what is known of it, has changed. */
  arrange(lane: Lane): void {
    const { head } = lane;
    this.#waiting.delete(lane);
    if (head && !head.isInFlight && !head.isEnding) {
      if (head.dueAt <= Date.now()) this.#ready.add(lane);
      else this.#wait(lane, head.dueAt);
      return;
    }
    this.#ready.delete(lane);
    // Another one may have taken its place meanwhile.
    if (!head && this.#lanes.get(lane.key) === lane) this.#lanes.delete(lane.key);
  }

  /** The one that waited longest. @param isLeastFailed of those whose heads have failed least often */
  takeReady(isLeastFailed: boolean): Lane | undefined {
    const [first] = this.#ready;
    const lane = isLeastFailed ? this.#leastFailed() : first;
    if (lane) this.#ready.delete(lane);
    return lane;
  }

  /** Wakes at a moment at the latest, in milliseconds since the epoch. */
  wakeAt(moment: number): void {
    if (moment >= this.#wakesAt) return;
    this.#wakesAt = moment;
    clearTimeout(this.#timer);
    const delay = Math.max(1, moment - Date.now());
    this.#timer = setTimeout(() => this.#wake(), delay).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#wakesAt = Number.NEGATIVE_INFINITY;
  }

  #wait(lane: Lane, dueAt: number): void {
    this.#ready.delete(lane);
    this.#waiting.add(lane);
    this.wakeAt(dueAt);
  }

  #leastFailed(): Lane | undefined {
    let least: Lane | undefined;
    for (const lane of this.#ready) {
      if (!least || attemptsOf(lane) < attemptsOf(least)) least = lane;
    }
    return least;
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = Date.now();
    const due: Lane[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const lane of this.#waiting) {
      if (dueAt(lane) <= now) due.push(lane);
      else next = Math.min(next, dueAt(lane));
    }
    for (const lane of due.toSorted((one, other) => dueAt(one) - dueAt(other))) this.arrange(lane);
    this.wakeAt(next);
    this.#onDue();
  }
}

function attemptsOf({ head }: Lane): number {
  return head?.attempts ?? 0;
}

function dueAt({ head }: Lane): number {
  return head?.dueAt ?? 0;
}
