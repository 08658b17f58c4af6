import { now } from '../load/orders.ts';
import type { Moment } from '../webhooks/orders.ts';

const taskStart = '"task":{"id":"';
const idLength = 36;

/** When events came, each told by the task that it is of. */
export class ReceivedMoments {
  readonly #received: Moment[] = [];
  #awaited = { count: Number.POSITIVE_INFINITY, resolve: () => {} };

  /** @param event as it came, in latin1 */
  add(event: string, at = now()): void {
    const start = event.indexOf(taskStart) + taskStart.length;
    this.#received.push({ taskId: event.slice(start, start + idLength), at });
    this.#settle();
  }

  /** Waits for so many, and forgets them. */
  async take(count: number): Promise<Moment[]> {
    await new Promise<void>((resolve) => {
      this.#awaited = { count, resolve };
      this.#settle();
    });
    return this.#received.splice(0);
  }

  #settle(): void {
    if (this.#received.length >= this.#awaited.count) this.#awaited.resolve();
  }
}
