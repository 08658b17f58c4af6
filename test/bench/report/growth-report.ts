import { spreadOf } from '../compare/statistics.ts';
import type { Latencies } from '../growth/growing-site.ts';
import { ratioOf, type SizeResult } from '../growth/measure-growth.ts';
import { format, formatSpread } from './numbers.ts';
import { renderTable } from './table.ts';

const latencies: readonly [string, (slice: Latencies) => number][] = [
  ['append to WebSocket, p50 ms', ({ socket }) => socket.p50],
  ['append to WebSocket, p99 ms', ({ socket }) => socket.p99],
  ['append to webhook, p50 ms', ({ webhook }) => webhook.p50],
  ['append to webhook, p99 ms', ({ webhook }) => webhook.p99],
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
  const [small] = results;
  const isSmall = (result: SizeResult) => result === small;
  const cells = (render: (result: SizeResult) => string, ratio: (result: SizeResult) => string) =>
    results.flatMap((result) =>
      isSmall(result) ? [render(result)] : [render(result), ratio(result)],
    );
  const rows = [
    [
      '',
      ...cells(
        ({ agents, events }) => `${format(agents)} agents, ${format(events)} events`,
        () => '÷ small',
      ),
    ],
    ...latencies.map(([name, of]) => [
      name,
      ...cells(
        ({ slices }) => formatSpread(spreadOf(slices.map(of)), 1),
        (result) => formatSpread(small && ratioOf(result, small, of), 2),
      ),
    ]),
    ...figures.map(([name, of]) => [
      name,
      ...cells(
        (result) => format(of(result), 1),
        (result) => format(of(result) / (small ? of(small) : Number.NaN), 2),
      ),
    ]),
  ];
  return [`## ${title}`, renderTable('lrrrrrr', rows)].join('\n\n');
}
