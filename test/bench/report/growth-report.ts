import { quantile, spreadOf } from '../compare/statistics.ts';
import type { Latencies } from '../growth/growing-site.ts';
import type { SizeResult } from '../growth/measure-growth.ts';
import { format, formatSpread } from './numbers.ts';
import { renderTable } from './table.ts';

type Way = keyof Latencies;

const ways: readonly [string, Way][] = [
  ['append to WebSocket', 'socket'],
  ['append to webhook', 'webhook'],
];

const mebibyte = 1_048_576;
const figures: readonly [string, (result: SizeResult) => number][] = [
  ['RSS at rest, MiB', ({ idle }) => idle.rss / mebibyte],
  ['heap at rest, MiB', ({ idle }) => idle.heapUsed / mebibyte],
  ['outside the heap at rest, MiB', ({ idle }) => idle.external / mebibyte],
  ['RSS of nats-server at rest, MiB', ({ idle }) => idle.natsResident / mebibyte],
  ['RSS after the rounds, MiB', ({ idleAfter }) => idleAfter.rss / mebibyte],
  ['heap after the rounds, MiB', ({ idleAfter }) => idleAfter.heapUsed / mebibyte],
  ['CPU at rest after the rounds, ms/s', ({ idleAfter }) => idleAfter.cpuMillisecondsPerSecond],
  ['start until ready, ms', ({ start }) => start.readyMilliseconds],
  ['start until what waited is delivered, ms', ({ start }) => start.deliveredMilliseconds],
];

/** @param results the smallest size first; the others are compared with it */
export function renderGrowth(title: string, results: readonly SizeResult[]): string {
  const [small, ...others] = results;
  if (!small) throw new Error('nothing was measured');
  const row = (
    name: string,
    render: (result: SizeResult) => string,
    ratio: (result: SizeResult) => string,
  ) => [name, render(small), ...others.flatMap((other) => [render(other), ratio(other)])];
  const rows = [
    row(
      '',
      ({ agents, events }) => `${format(agents)} agents, ${format(events)} events`,
      () => '÷ small',
    ),
    ...ways.flatMap(([name, way]) => [
      row(
        `${name}, p50 ms`,
        ({ slices }) => formatSpread(spreadOf(slices.map((slice) => median(slice, way))), 1),
        (result) => formatSpread(spreadOf(ratios(result, small, way)), 2),
      ),
      row(
        `${name}, p99 ms of all rounds`,
        (result) => format(p99(result, way), 1),
        (result) => format(p99(result, way) / p99(small, way), 2),
      ),
    ]),
    ...figures.map(([name, of]) =>
      row(
        name,
        (result) => format(of(result), 1),
        (result) => format(of(result) / of(small), 2),
      ),
    ),
  ];
  return [`## ${title}`, renderTable('lrrrrr', rows)].join('\n\n');
}

const median = (slice: Latencies, way: Way) => quantile(slice[way], 0.5);

/** Of the medians, round by round. */
function ratios({ slices }: SizeResult, small: SizeResult, way: Way): number[] {
  return slices.flatMap((slice, round) => {
    const other = small.slices[round];
    return other ? [median(slice, way) / median(other, way)] : [];
  });
}

/** One round has too few to tell. */
function p99({ slices }: SizeResult, way: Way): number {
  return quantile(
    slices.flatMap((slice) => slice[way]),
    0.99,
  );
}
