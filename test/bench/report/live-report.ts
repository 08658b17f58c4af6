import type { LiveResult } from '../live/measure-live.ts';
import { formatShare, formatSpread } from './numbers.ts';
import { renderTable } from './table.ts';

export interface LiveOutcome {
  readonly name: string;
  readonly result: LiveResult;
}

export function renderLive(title: string, outcomes: readonly LiveOutcome[]): string {
  const rows = outcomes.map(({ name, result }) => [
    name,
    formatSpread(result.appendsPerSecond),
    formatSpread(result.framesPerSecond),
    formatShare(result.share),
    formatShare(result.foreignShare),
  ]);
  const head = ['', 'appends/s', 'frames/s', 'frames ÷ appends', 'strangers'];
  return [`## ${title}`, renderTable('lrrrr', [head, ...rows])].join('\n\n');
}
