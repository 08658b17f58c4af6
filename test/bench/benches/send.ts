import { compare } from '../compare/compare.ts';
import { peerContenders } from '../contenders/peer-contenders.ts';
import { startReceivingCallee } from '../contenders/receiving-callee.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import { renderComparison } from '../report/comparison-report.ts';
import { type Bench, manyConnections } from './bench.ts';

/** How fast tasks are taken, each of them delivered to its callee. */
export const benchSend: Bench = async (context) => {
  const comparisons = await compare(
    [...relayContenders(context.relay, startReceivingCallee), ...peerContenders('idle')],
    { name: 'send, returnImmediately', kind: 'immediate', connections: [manyConnections] },
    context,
  );
  return { text: comparisons.map(renderComparison).join('\n\n'), data: comparisons };
};
