import type { ContenderResult } from '../compare/field.ts';
import { medianOfEach, ratioTo, type Spread, spreadOf, sum } from '../compare/statistics.ts';
import { format, formatShare, formatSpread } from './numbers.ts';
import { renderTable } from './table.ts';

export interface Comparison {
  readonly title: string;
  readonly results: readonly ContenderResult[];
}

/** Relay is divided by each of the others. */
const isRelay = ({ name }: ContenderResult) => name.startsWith('relay');

export function renderComparison({ title, results }: Comparison): string {
  const measured = results.filter(({ slices }) => slices.length > 0);
  const sections = [
    renderRates(measured),
    renderRatios(measured),
    renderCpu(measured),
    measured.flatMap(renderDeliveries).join('\n'),
    results.flatMap(renderProblems).join('\n'),
  ];
  return [`## ${title}`, ...sections.filter((section) => section !== '')].join('\n\n');
}

function renderRates(results: readonly ContenderResult[]): string {
  return renderTable('lrrrrr', [
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'refused', 'CPU of strangers'],
    ...results.map(({ name, slices }) => [
      name,
      formatSpread(spread(slices, ({ perSecond }) => perSecond)),
      formatSpread(
        spread(slices, ({ p50Milliseconds }) => p50Milliseconds),
        1,
      ),
      formatSpread(
        spread(slices, ({ p99Milliseconds }) => p99Milliseconds),
        1,
      ),
      format(sum(slices.map(({ refused }) => refused))),
      formatShare(spread(slices, ({ foreignShare }) => foreignShare)),
    ]),
  ]);
}

function renderRatios(results: readonly ContenderResult[]): string {
  const relays = results.filter(isRelay);
  const peers = results.filter((result) => !isRelay(result));
  if (relays.length === 0 || peers.length === 0) return '';
  return renderTable('l'.padEnd(peers.length + 1, 'r'), [
    ['requests/s, in the same round ÷', ...peers.map(({ name }) => name)],
    ...relays.map((relay) => [
      relay.name,
      ...peers.map((peer) => formatSpread(ratioTo(relay, peer), 2)),
    ]),
  ]);
}

function renderCpu(results: readonly ContenderResult[]): string {
  return renderTable('lrll', [
    ['CPU µs/request', 'all', 'of which', 'beside it'],
    ...results.map(({ name, slices }) => [
      name,
      formatSpread(spread(slices, ({ cpuMicroseconds }) => sum(Object.values(cpuMicroseconds)))),
      renderCosts(slices.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      renderCosts(slices.map(({ helperMicroseconds }) => helperMicroseconds)),
    ]),
  ]);
}

function renderCosts(costs: readonly Readonly<Record<string, number>>[]): string {
  return Object.entries(medianOfEach(costs))
    .map(([name, median]) => `${name} ${format(median)}`)
    .join(' + ');
}

function renderDeliveries({ name, slices }: ContenderResult): string[] {
  const deliveries = slices.flatMap(({ delivery }) => (delivery ? [delivery] : []));
  if (deliveries.length === 0) return [];
  const acknowledged = sum(slices.map(({ answered }) => answered));
  const missing = sum(deliveries.map(({ missing }) => missing));
  const backlog = spread(deliveries, ({ backlog }) => backlog);
  const drain = spread(deliveries, ({ drainMilliseconds }) => drainMilliseconds);
  return [
    `${name}: ${format(acknowledged)} tasks acknowledged, ${format(missing)} never delivered; ` +
      `when a slice ended ${formatSpread(backlog)} were still to come, for ${formatSpread(drain)} ms`,
  ];
}

function renderProblems({ name, problem, slices }: ContenderResult): string[] {
  const refusal = slices.find((slice) => slice.refusal !== undefined)?.refusal;
  return [
    ...(problem === undefined ? [] : [`${name}: NOT MEASURED: ${problem}`]),
    ...(refusal === undefined ? [] : [`${name}: the first refusal said: ${refusal}`]),
  ];
}

function spread<Item>(items: readonly Item[], valueOf: (item: Item) => number): Spread | undefined {
  return spreadOf(items.map(valueOf));
}
