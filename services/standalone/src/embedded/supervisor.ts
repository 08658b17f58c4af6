import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@relay/runtime';
import type { ServerProcess } from './server-process.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const STABLE_AFTER_MS = 10_000;

/** Keeps one server running: when it dies it is launched again, after growing pauses. */
export class Supervisor<Ready> {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #launch: () => Promise<ServerProcess<Ready>>;
  readonly #stopping = new AbortController();
  #pauseMs = FIRST_PAUSE_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(name: string, logger: Logger, launch: () => Promise<ServerProcess<Ready>>) {
    this.#name = name;
    this.#logger = logger;
    this.#launch = launch;
  }

  /** The first launch either succeeds or tells why not; only later ones are tried again. */
  async start(): Promise<Ready> {
    const server = await this.#launch();
    this.#running = this.#keepRunning(server);
    return server.ready;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #keepRunning(first: ServerProcess<Ready>): Promise<void> {
    let server: ServerProcess<Ready> | undefined = first;
    while (server) {
      await this.#untilItDies(server);
      if (this.#stopping.signal.aborted) return server.stop();
      server = await this.#relaunch();
    }
  }

  async #untilItDies(server: ServerProcess<Ready>): Promise<void> {
    const since = performance.now();
    const reason = await Promise.race([server.exited, whenAborted(this.#stopping.signal)]);
    if (reason === undefined) return;
    this.#logger.error({ server: this.#name, pid: server.pid, reason }, 'embedded.server_died');
    if (performance.now() - since > STABLE_AFTER_MS) this.#pauseMs = FIRST_PAUSE_MS;
  }

  async #relaunch(): Promise<ServerProcess<Ready> | undefined> {
    while (await this.#pause()) {
      try {
        const server = await this.#launch();
        this.#logger.info({ server: this.#name, pid: server.pid }, 'embedded.server_restarted');
        return server;
      } catch (error) {
        this.#logger.error({ server: this.#name, err: error }, 'embedded.server_not_restarted');
      }
    }
    return undefined;
  }

  /** False when Relay stops meanwhile. */
  async #pause(): Promise<boolean> {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    await Promise.race([sleep(pauseMs), whenAborted(this.#stopping.signal)]);
    return !this.#stopping.signal.aborted;
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
