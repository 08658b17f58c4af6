import { createHistogram } from 'node:perf_hooks';
import type { LoadResult } from './orders.ts';

/** What became of the messages of one closed loop. */
export class Tally {
  readonly #seconds: number;
  readonly #end: number;
  readonly #microseconds = createHistogram();
  readonly #refused: number[] = [];
  #refusal: string | undefined;
  #answeredInTime = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  constructor(seconds: number) {
    this.#seconds = seconds;
    this.#end = performance.now() + seconds * 1_000;
  }

  get isTimeUp(): boolean {
    return performance.now() >= this.#end;
  }

  countAnswer(message: number, milliseconds: number): void {
    this.#widen(message);
    this.#microseconds.record(Math.max(1, Math.round(milliseconds * 1_000)));
    if (!this.isTimeUp) this.#answeredInTime += 1;
  }

  countRefusal(message: number, reason: string): void {
    this.#widen(message);
    this.#refused.push(message);
    this.#refusal ??= reason;
  }

  result(): LoadResult {
    return {
      sent: { first: this.#first, last: this.#last, refused: this.#refused },
      refusal: this.#refusal,
      answered: this.#microseconds.count,
      perSecond: this.#answeredInTime / this.#seconds,
      p50Milliseconds: this.#microseconds.percentile(50) / 1_000,
      p99Milliseconds: this.#microseconds.percentile(99) / 1_000,
    };
  }

  #widen(message: number): void {
    this.#first = Math.min(this.#first, message);
    this.#last = Math.max(this.#last, message);
  }
}
