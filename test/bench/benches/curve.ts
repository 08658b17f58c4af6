import { compare } from '../compare/compare.ts';
import { startReceivingCallee } from '../contenders/receiving-callee.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import { renderComparison } from '../report/comparison-report.ts';
import type { Bench } from './bench.ts';

const connections = [1, 4, 16, 64, 256];

/** What a relay does with more and more callers, to tell its size by: one process beside three. */
export const benchCurve: Bench = async (context) => {
  const comparisons = await compare(
    relayContenders(context.relay, startReceivingCallee),
    { name: 'send, returnImmediately', kind: 'immediate', connections },
    context,
  );
  return { text: comparisons.map(renderComparison).join('\n\n'), data: comparisons };
};
