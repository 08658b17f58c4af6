import { SdkAgent } from '../agents/sdk-agent.ts';
import { compare } from '../compare/compare.ts';
import { peerContenders } from '../contenders/peer-contenders.ts';
import { relayContenders } from '../contenders/relay-contenders.ts';
import { renderComparison } from '../report/comparison-report.ts';
import type { Bench } from './bench.ts';

/** All messages are of one chat, where 64 at most may wait for their answers. */
const someConnections = 16;
const unlimited = { RELAY_CHAT_MESSAGE_RATE: '10000', RELAY_MESSAGE_RATE: '10000' };

/** How long it takes to ask an agent that takes no tasks and have its reply in the chat as the answer. */
export const benchMessages: Bench = async (context) => {
  const relay = { ...context.relay, environment: { ...context.relay.environment, ...unlimited } };
  const comparisons = await compare(
    [...relayContenders(relay, SdkAgent.startInChats, false), ...peerContenders('answering')],
    { name: 'messages, answered in the chat', kind: 'message', connections: [1, someConnections] },
    context,
  );
  return { text: comparisons.map(renderComparison).join('\n\n'), data: comparisons };
};
