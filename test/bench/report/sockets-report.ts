import type { SocketsResult } from '../sockets/measure-sockets.ts';
import { format } from './numbers.ts';
import { renderTable } from './table.ts';

export interface SocketsOutcome {
  readonly name: string;
  readonly result: SocketsResult;
}

/** @param outcomes the bare server first */
export function renderSockets(title: string, outcomes: readonly SocketsOutcome[]): string {
  const [bare] = outcomes;
  const table = renderTable('lrrrr', [
    ['', 'bytes/idle socket', 'ms to open all', 'ms until all are back', 'frames/s of a broadcast'],
    ...outcomes.map(({ name, result }) => [name, ...figuresOf(result).map((n) => format(n))]),
    ...outcomes.slice(1).map(({ name, result }) => [`${name} ÷ bare`, ...ratios(result, bare)]),
  ]);
  return [`## ${title}`, table].join('\n\n');
}

function figuresOf(result: SocketsResult): number[] {
  const { bytesEach, openMilliseconds, reopenMilliseconds, framesPerSecond } = result;
  return [bytesEach, openMilliseconds, reopenMilliseconds, framesPerSecond];
}

function ratios(result: SocketsResult, bare: SocketsOutcome | undefined): string[] {
  const divisors = bare ? figuresOf(bare.result) : [];
  return figuresOf(result).map((figure, at) => format(figure / (divisors[at] ?? Number.NaN), 2));
}
