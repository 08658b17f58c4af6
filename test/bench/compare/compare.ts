import { type BenchContext, manyConnections } from '../benches/bench.ts';
import type { ContenderStart } from '../contenders/contender.ts';
import type { SendKind } from '../load/orders.ts';
import type { Comparison } from '../report/comparison-report.ts';
import { Field } from './field.ts';
import { measureSlice } from './slice.ts';

interface ComparedWork {
  readonly name: string;
  readonly kind: SendKind;
  /** One comparison for each number of connections. */
  readonly connections: readonly number[];
}

/** Starts all contenders, warms them up and lets them take turns. */
export async function compare(
  starts: readonly ContenderStart[],
  { name, kind, connections }: ComparedWork,
  { load, options }: BenchContext,
): Promise<Comparison[]> {
  const { seconds, rounds, warmup, quiet: quietSeconds, only } = options;
  const field = await Field.start(starts, only);
  const warmUp = { kind, connections: manyConnections, seconds: warmup, quietSeconds: 0 };
  await field.warmUp((contender) => measureSlice(contender, load, warmUp));
  const comparisons: Comparison[] = [];
  for (const count of connections) {
    const work = { kind, connections: count, seconds, quietSeconds };
    const results = await field.run(rounds, (contender) => measureSlice(contender, load, work));
    const title = `${name}, connections: ${count}; ${rounds} rounds of ${seconds} s`;
    comparisons.push({ title, results });
  }
  await field.stop();
  return comparisons;
}
