import { SdkAgent } from '../agents/sdk-agent.ts';
import { compare } from '../compare/compare.ts';
import { peerContenders } from '../contenders/peer-contenders.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import { renderComparison } from '../report/comparison-report.ts';
import { type Bench, manyConnections } from './bench.ts';

/** How long it takes to ask an agent and have its answer: in a peer the agent is in the server. */
export const benchRoundtrip: Bench = async (context) => {
  const comparisons = await compare(
    [...relayContenders(context.relay, SdkAgent.start), ...peerContenders('completing')],
    { name: 'roundtrip, blocking', kind: 'blocking', connections: [1, manyConnections] },
    context,
  );
  return { text: comparisons.map(renderComparison).join('\n\n'), data: comparisons };
};
