import type { Agent } from '../agents/orders.ts';
import { Receiver } from '../agents/receiver.ts';
import { compare } from '../compare/compare.ts';
import { peerContenders } from '../contenders/peer-contenders.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import type { MessageRange } from '../load/orders.ts';
import { renderComparison } from '../report/comparison-report.ts';
import { type Bench, manyConnections } from './bench.ts';

/** After so long without the last event, events count as lost. */
const deliveredWithinMilliseconds = 60_000;

/** How fast tasks are taken, each of them delivered to its callee. */
export const benchSend: Bench = async (context) => {
  const comparisons = await compare(
    [...relayContenders(context.relay, startReceiver), ...peerContenders('idle')],
    { name: 'send, returnImmediately', kind: 'immediate', connections: [manyConnections] },
    context,
  );
  return { text: comparisons.map(renderComparison).join('\n\n'), data: comparisons };
};

async function startReceiver(agent: Agent) {
  const receiver = await Receiver.start(agent);
  return {
    process: receiver.process,
    settle: (sent: MessageRange) => receiver.settle(sent, deliveredWithinMilliseconds),
    stop: () => receiver.stop(),
  };
}
