/** An event may come again within minutes: after a lost connection, or a crash of Relay. */
const rememberedEvents = 4096;

/** Handles each event once in this process, however often it comes. */
export class HandledOnce {
  readonly #running = new Map<string, Promise<void>>();
  readonly #handled = new Set<string>();

  /** Joins the run that goes on for this event, or starts one unless it was handled. */
  run(eventId: string, handle: () => Promise<void>): Promise<void> {
    if (this.#handled.has(eventId)) return Promise.resolve();
    const joined = this.#running.get(eventId);
    if (joined) return joined;
    const run = this.#start(eventId, handle);
    this.#running.set(eventId, run);
    return run;
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #start(eventId: string, handle: () => Promise<void>): Promise<void> {
    try {
      await handle();
      this.#remember(eventId);
    } finally {
      this.#running.delete(eventId);
    }
  }

  #remember(eventId: string): void {
    this.#handled.add(eventId);
    const [oldest] = this.#handled;
    if (oldest !== undefined && this.#handled.size > rememberedEvents) this.#handled.delete(oldest);
  }
}
