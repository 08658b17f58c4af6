import { SdkAgent } from '../agents/sdk-agent.ts';
import { Field } from '../compare/field.ts';
import { measureSlice } from '../compare/slice.ts';
import { peerContenders } from '../contenders/peer-contenders.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import { type Comparison, renderComparison } from '../report/comparison-report.ts';
import { type Bench, manyConnections } from './bench.ts';

/** How long it takes to ask an agent and have its answer: in a peer the agent is in the server. */
export const benchRoundtrip: Bench = async ({ options, load, relay }) => {
  const { seconds, rounds, quiet: quietSeconds } = options;
  const starts = [...relayContenders(relay, SdkAgent.start), ...peerContenders('completing')];
  const field = await Field.start(starts, options.only);
  const comparisons: Comparison[] = [];
  for (const connections of [1, manyConnections]) {
    const workload = { kind: 'blocking', connections, seconds, quietSeconds } as const;
    const results = await field.run(rounds, (contender) => measureSlice(contender, load, workload));
    const title = `roundtrip: ${connections} connections, ${rounds} × ${seconds} s`;
    comparisons.push({ title, results });
  }
  await field.stop();
  return { text: comparisons.map(renderComparison).join('\n\n'), data: comparisons };
};
