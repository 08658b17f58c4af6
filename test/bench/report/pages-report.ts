import type { MeasuredPage } from '../pages/measure-pages.ts';
import { format } from './numbers.ts';
import { renderTable } from './table.ts';

export interface PagesOutcome {
  readonly name: string;
  readonly pages: readonly MeasuredPage[];
}

export function renderPages(title: string, outcomes: readonly PagesOutcome[]): string {
  const rows = outcomes.flatMap(({ name, pages }) =>
    pages.map(({ length, way, place, p50Milliseconds, p99Milliseconds }) => [
      name,
      format(length),
      way,
      place,
      format(p50Milliseconds, 1),
      format(p99Milliseconds, 1),
    ]),
  );
  const head = ['', 'messages', 'order', 'page', 'p50 ms', 'p99 ms'];
  return [`## ${title}`, renderTable('lrllrr', [head, ...rows])].join('\n\n');
}
