import { spreadOf } from '../compare/statistics.ts';
import type { StreamsSlice } from '../streams/measure-streams.ts';
import { formatShare, formatSpread } from './numbers.ts';
import { renderTable } from './table.ts';

export interface StreamsOutcome {
  readonly name: string;
  readonly slices: readonly StreamsSlice[];
}

export function renderStreams(title: string, outcomes: readonly StreamsOutcome[]): string {
  const rows = outcomes.map(({ name, slices }) => {
    const spread = (of: (slice: StreamsSlice) => number) => spreadOf(slices.map(of));
    return [
      name,
      formatSpread(spread(({ perSecond }) => perSecond)),
      formatSpread(
        spread(({ p50Milliseconds }) => p50Milliseconds),
        1,
      ),
      formatSpread(
        spread(({ p99Milliseconds }) => p99Milliseconds),
        1,
      ),
      formatSpread(
        spread(({ maxMilliseconds }) => maxMilliseconds),
        1,
      ),
      formatSpread(spread(({ cpuMicroseconds }) => cpuMicroseconds)),
      formatShare(spread(({ foreignShare }) => foreignShare)),
    ];
  });
  const head = ['', 'updates/s', 'p50 ms', 'p99 ms', 'longest ms', 'CPU µs/update', 'strangers'];
  return [`## ${title}`, renderTable('lrrrrrr', [head, ...rows])].join('\n\n');
}
