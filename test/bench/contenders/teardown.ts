type Stop = () => Promise<unknown>;

/** Stops what was started, last first; also what was, when a later start fails. */
export class Teardown {
  readonly #stops: Stop[] = [];

  /** Starts something, or stops all that was started before it. */
  async start<Started>(
    start: () => Promise<Started>,
    stop: (started: Started) => Promise<unknown>,
  ): Promise<Started> {
    try {
      const started = await start();
      this.#stops.push(() => stop(started));
      return started;
    } catch (error) {
      await this.run();
      throw error;
    }
  }

  async run(): Promise<void> {
    for (const stop of this.#stops.splice(0).toReversed()) await stop();
  }
}
