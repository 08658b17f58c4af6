/** Lets one loop sleep until somebody has work for it; a call while it is awake is not lost. */
export class WakeUp {
  #isDue = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  /** @param milliseconds to sleep at most; for ever unless it is given */
  async wait(milliseconds?: number): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isDue = false;
    this.#wake = undefined;
  }
}
