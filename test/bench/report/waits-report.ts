import type { WaitsResult } from '../waits/measure-waits.ts';
import { format } from './numbers.ts';
import { renderTable } from './table.ts';

export type WaitsOutcome =
  | { readonly name: string; readonly result: WaitsResult }
  | { readonly name: string; readonly problem: string };

const bytesPerMegabyte = 1_000_000;

export function renderWaits(title: string, outcomes: readonly WaitsOutcome[]): string {
  return [`## ${title}`, ...outcomes.map(renderOutcome)].join('\n\n');
}

function renderOutcome(outcome: WaitsOutcome): string {
  if ('problem' in outcome) return `${outcome.name}: NOT MEASURED: ${outcome.problem}`;
  const { waits, wake, untilLastMilliseconds } = outcome.result;
  return [
    `${outcome.name}: all ${format(waits)} answered, the last ${format(untilLastMilliseconds)} ms ` +
      `after the first task was finished; each ${format(wake.median)} ms (median), ` +
      `${format(wake.max)} ms (longest) after its own task`,
    renderMemory(outcome.result),
  ].join('\n\n');
}

function renderMemory({ waits, memory }: WaitsResult): string {
  return renderTable('lrrr', [
    ['resident memory', 'before MB', 'open MB', 'bytes/wait'],
    ...memory.map(({ process, beforeBytes, openBytes }) => [
      process,
      format(beforeBytes / bytesPerMegabyte, 1),
      format(openBytes / bytesPerMegabyte, 1),
      format((openBytes - beforeBytes) / waits),
    ]),
  ]);
}
