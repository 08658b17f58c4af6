import { ProtocolError } from './socket-error.ts';

/** What one connection has received and may acknowledge: acks are cumulative, handlers end in any order. */
export class AckLedger {
  #received: bigint;
  #acknowledged: bigint;
  readonly #handled = new Set<bigint>();

  constructor(acknowledgedThrough: bigint) {
    this.#received = acknowledgedThrough;
    this.#acknowledged = acknowledgedThrough;
  }

  /** @throws ProtocolError when an event is missing before this one */
  receive(sequence: bigint): void {
    if (sequence > this.#received + 1n) {
      throw new ProtocolError(`Event ${sequence} came after ${this.#received}.`);
    }
    if (sequence > this.#received) this.#received = sequence;
  }

  /** The sequence to acknowledge now; none while an earlier event is still being handled. */
  handled(sequence: bigint): bigint | undefined {
    if (sequence <= this.#acknowledged) return undefined;
    this.#handled.add(sequence);
    const before = this.#acknowledged;
    while (this.#handled.delete(this.#acknowledged + 1n)) this.#acknowledged += 1n;
    return this.#acknowledged > before ? this.#acknowledged : undefined;
  }
}
