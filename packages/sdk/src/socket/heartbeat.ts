/** Relay is taken for gone after so long without a pong. */
const longestSilenceMilliseconds = 60_000;

/** Pings Relay, and notices when it does not answer. Listens from the start, before the first ping. */
export class Heartbeat {
  readonly #deadline: NodeJS.Timeout;
  #pings: NodeJS.Timeout | undefined;

  constructor(onSilence: () => void) {
    this.#deadline = setTimeout(onSilence, longestSilenceMilliseconds);
  }

  start(intervalMilliseconds: number, ping: () => void): void {
    this.#deadline.refresh();
    this.#pings = setInterval(ping, intervalMilliseconds);
  }

  answered(): void {
    this.#deadline.refresh();
  }

  stop(): void {
    clearTimeout(this.#deadline);
    clearInterval(this.#pings);
  }
}
