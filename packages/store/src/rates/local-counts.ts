import { LRUCache } from 'lru-cache';
import type { FullWindow, Window } from './window.ts';

/** Windows that one process remembers; the least used are forgotten. */
const maximumWindows = 50_000;

interface Counted {
  /** When the last messages came, oldest first. */
  readonly times: number[];
  turnOf: string | undefined;
}

/** What one process alone knows of the windows. It counts as Redis does. */
export class LocalCounts {
  readonly #counted = new LRUCache<string, Counted>({ max: maximumWindows });

  /** The window that has no room for a message now, the one that is longest without. */
  full(windows: readonly Window[], now: number): FullWindow | undefined {
    return windows
      .filter((window) => this.#isCounting(window, now))
      .map((window) => ({ window, wait: this.#wait(window, now) }))
      .filter(({ wait }) => wait > 0)
      .toSorted((one, other) => other.wait - one.wait)[0];
  }

  /** Counts a message in all windows. */
  count(windows: readonly Window[], now: number): void {
    for (const window of windows.filter((each) => this.#isCounting(each, now))) {
      const times = this.#counted.get(window.key)?.times ?? [];
      times.push(now);
      if (times.length > window.limit) times.shift();
      this.#counted.set(window.key, { times, turnOf: window.turnOf });
    }
  }

  #isCounting({ key, turnOf, milliseconds }: Window, now: number): boolean {
    const counted = this.#counted.get(key);
    const last = counted?.times.at(-1) ?? Number.NEGATIVE_INFINITY;
    return turnOf === undefined || counted?.turnOf !== turnOf || last + milliseconds <= now;
  }

  #wait({ key, limit, milliseconds }: Window, now: number): number {
    const oldest = this.#counted.get(key)?.times.at(-limit);
    return oldest === undefined ? 0 : oldest + milliseconds - now;
  }
}
