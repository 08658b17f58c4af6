import type { Agent } from '../agents/orders.ts';
import { Receiver } from '../agents/receiver.ts';
import { Field } from '../compare/field.ts';
import { measureSlice } from '../compare/slice.ts';
import { peerContenders } from '../contenders/peer-contenders.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import type { MessageRange } from '../load/orders.ts';
import { renderComparison } from '../report/comparison-report.ts';
import { type Bench, manyConnections } from './bench.ts';

/** After so long without the last event, events count as lost. */
const deliveredWithinMilliseconds = 60_000;

/** How fast tasks are taken, each of them delivered to its callee. */
export const benchSend: Bench = async ({ options, load, relay }) => {
  const { seconds, rounds, quiet: quietSeconds } = options;
  const starts = [...relayContenders(relay, startReceiver), ...peerContenders('idle')];
  const field = await Field.start(starts, options.only);
  const workload = {
    kind: 'immediate',
    connections: manyConnections,
    seconds,
    quietSeconds,
  } as const;
  const results = await field.run(rounds, (contender) => measureSlice(contender, load, workload));
  await field.stop();
  const comparison = {
    title: `send: returnImmediately, ${manyConnections} connections, ${rounds} × ${seconds} s`,
    results,
  };
  return { text: renderComparison(comparison), data: [comparison] };
};

async function startReceiver(agent: Agent) {
  const receiver = await Receiver.start(agent);
  return {
    process: receiver.process,
    settle: (sent: MessageRange) => receiver.settle(sent, deliveredWithinMilliseconds),
    stop: () => receiver.stop(),
  };
}
