/** Lets one loop sleep until somebody has work for it; a call while it is awake is not lost. */
export class WakeUp {
  #isDue = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isDue = false;
    this.#wake = undefined;
  }
}
