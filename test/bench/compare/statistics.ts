import type { ContenderResult } from './field.ts';

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Nothing for no values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const [min, max] = [sorted[0], sorted.at(-1)];
  const middle = sorted.slice(
    Math.floor((sorted.length - 1) / 2),
    Math.floor(sorted.length / 2) + 1,
  );
  if (min === undefined || max === undefined) return undefined;
  return { median: sum(middle) / middle.length, min, max };
}

/** How many times the other's rate, in rounds that both took part in. */
export function ratioTo(result: ContenderResult, other: ContenderResult): Spread | undefined {
  return spreadOf(
    result.slices.flatMap(({ perSecond }, round) => {
      const others = other.slices[round]?.perSecond;
      return others === undefined ? [] : [perSecond / others];
    }),
  );
}

/** The median over the slices of each process's cost. */
export function medianOfEach(
  costs: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
  const names = Object.keys(costs[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, spreadOf(costs.map((cost) => cost[name] ?? 0))?.median ?? 0]),
  );
}

/** The value that so large a share of all are not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
