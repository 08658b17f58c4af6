import { setTimeout as sleep } from 'node:timers/promises';

const pauseMilliseconds = 200;

/** One timer for all that wait for NATS to come back, however many they are. */
export class SharedPause {
  #current: Promise<void> | undefined;

  wait(): Promise<void> {
    this.#current ??= sleep(pauseMilliseconds).finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }
}
