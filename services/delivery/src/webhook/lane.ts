import { isAfter } from '../feed/position.ts';
import type { QueuedDelivery } from './queued-delivery.ts';

/** The undelivered events of one task or chat for one endpoint, which gets them one after the other. */
export class Lane {
  readonly key: string;
  readonly #deliveries: QueuedDelivery[] = [];
  #recording: Promise<unknown> = Promise.resolve();

  constructor(key: string) {
    this.key = key;
  }

  get head(): QueuedDelivery | undefined {
    return this.#deliveries[0];
  }

  /** Whether it waits for something that has failed: what comes behind waits in records, too. */
  get isBlocked(): boolean {
    const { head } = this;
    return head !== undefined && (head.recordSequence > 0 || head.isRecording);
  }

  /** Resolves when all that is being written is. */
  get written(): Promise<unknown> {
    return this.#recording;
  }

  /** Oldest first. */
  get deliveries(): readonly QueuedDelivery[] {
    return this.#deliveries;
  }

  /** Puts it at its place, but not before one that is in flight. */
  insert(delivery: QueuedDelivery): void {
    let at = this.#deliveries.length;
    for (; at > 0; at -= 1) {
      const before = this.#deliveries[at - 1];
      if (!before || before.isInFlight || isAfter(delivery.place, before.place)) break;
    }
    this.#deliveries.splice(at, 0, delivery);
  }

  remove(delivery: QueuedDelivery): void {
    const at = this.#deliveries.indexOf(delivery);
    if (at >= 0) this.#deliveries.splice(at, 1);
  }

  /**
   * Writes records one after the other, so that those which are stored are always the first of the lane:
   * a new owner finds no gap among them.
   */
  record<Result>(write: () => Promise<Result>): Promise<Result> {
    const written = this.#recording.then(write);
    this.#recording = written.catch(() => undefined);
    return written;
  }
}
