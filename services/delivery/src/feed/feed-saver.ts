/** Something whose state is saved now and then. */
export interface Saveable {
  /** Rejects when it could not be saved; it is tried again then. */
  save(): Promise<void>;
}

/** How long changes of one feed gather before they are saved together. */
const gatherMilliseconds = 250;
const tickMilliseconds = 25;
/** About 1,000 saves a second, however many feeds there are. */
const savesPerTick = 25;

/** Saves feeds: each at most every 250 ms, those of agents that went away first. */
export class FeedSaver {
  /** When each is due, by the monotonic clock. Since all wait equally long, the order is theirs. */
  readonly #gathering = new Map<Saveable, number>();
  readonly #urgent = new Set<Saveable>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  add(feed: Saveable): void {
    if (this.#isClosed || this.#urgent.has(feed) || this.#gathering.has(feed)) return;
    this.#gathering.set(feed, performance.now() + gatherMilliseconds);
    this.#tickLater();
  }

  hurry(feed: Saveable): void {
    this.#gathering.delete(feed);
    this.#urgent.add(feed);
    this.#tickLater();
  }

  /** Tries once to save all that waits. */
  async flush(): Promise<void> {
    const waiting = [...this.#urgent, ...this.#gathering.keys()];
    this.#urgent.clear();
    this.#gathering.clear();
    await Promise.allSettled(waiting.map((feed) => feed.save()));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#urgent.clear();
    this.#gathering.clear();
  }

  #tickLater(): void {
    this.#timer ??= setTimeout(() => this.#tick(), tickMilliseconds).unref();
  }

  #tick(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [feed, dueAt] of this.#gathering) {
      if (dueAt > now) break;
      this.hurry(feed);
    }
    for (const feed of [...this.#urgent].slice(0, savesPerTick)) {
      this.#urgent.delete(feed);
      feed.save().catch(() => this.add(feed));
    }
    if (this.#urgent.size + this.#gathering.size > 0) this.#tickLater();
  }
}
