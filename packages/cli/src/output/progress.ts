import type { Terminal } from '../terminal.ts';

/** How often a file that takes the output gets a line. */
const pauseMilliseconds = 5_000;

/** Tells how far long work has come: on one line of a terminal, else by a line from time to time. */
export class Progress {
  readonly #stderr: Terminal['stderr'];
  #toldAt = performance.now();
  #width = 0;

  constructor({ stderr }: Terminal) {
    this.#stderr = stderr;
  }

  update(text: string): void {
    if (this.#stderr.isTTY) {
      this.#stderr.write(`\r${text.padEnd(this.#width)}`);
      this.#width = text.length;
    } else if (performance.now() - this.#toldAt > pauseMilliseconds) {
      this.#toldAt = performance.now();
      this.#stderr.write(`relay: ${text}\n`);
    }
  }

  /** The last word: it stays. */
  done(text: string): void {
    const line = this.#stderr.isTTY ? `\r${text.padEnd(this.#width)}` : `relay: ${text}`;
    this.#stderr.write(`${line}\n`);
  }
}

export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
