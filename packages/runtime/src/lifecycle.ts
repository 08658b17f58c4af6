import type { Logger } from './logger.ts';

interface StartedStep {
  readonly name: string;
  stop(): Promise<void>;
}

/** Thrown at a step that would start after the stop began. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError';
}

/** Starts steps in order and stops them in reverse. */
export class Lifecycle {
  readonly #logger: Logger;
  readonly #started: StartedStep[] = [];
  #starting: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  async start<Result>(
    name: string,
    start: () => Result | Promise<Result>,
    stop?: (started: Result) => void | Promise<void>,
  ): Promise<Result> {
    if (this.isStopping) throw new StoppingError(`${name} was not started: Relay is stopping`);
    const step = this.#run(name, start, stop);
    this.#starting = Promise.allSettled([this.#starting, step]);
    return step;
  }

  /** Every step is stopped, even after one that failed to. Calling again awaits the same stop. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #run<Result>(
    name: string,
    start: () => Result | Promise<Result>,
    stop?: (started: Result) => void | Promise<void>,
  ): Promise<Result> {
    const since = performance.now();
    const started = await start();
    this.#started.push({ name, stop: async () => stop?.(started) });
    this.#logger.debug({ step: name, durationMs: elapsed(since) }, 'step.started');
    return started;
  }

  async #stopAll(): Promise<void> {
    await this.#starting;
    const failures: unknown[] = [];
    for (const step of this.#started.toReversed()) {
      await this.#stopStep(step).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not every step stopped cleanly');
  }

  async #stopStep(step: StartedStep): Promise<void> {
    const since = performance.now();
    try {
      await step.stop();
      this.#logger.debug({ step: step.name, durationMs: elapsed(since) }, 'step.stopped');
    } catch (error) {
      this.#logger.error({ step: step.name, err: error }, 'step.stop_failed');
      throw error;
    }
  }
}

const elapsed = (since: number) => Math.round(performance.now() - since);
