import type { Agent } from '../agents/orders.ts';
import { Receiver } from '../agents/receiver.ts';
import type { MessageRange } from '../load/orders.ts';

/** After so long without the last event, events count as lost. */
const deliveredWithinMilliseconds = 60_000;

/** A callee that must get every task that was acknowledged, and does nothing with it. */
export async function startReceivingCallee(agent: Agent) {
  const receiver = await Receiver.start(agent);
  return {
    process: receiver.process,
    settle: (sent: MessageRange) => receiver.settle(sent, deliveredWithinMilliseconds),
    stop: () => receiver.stop(),
  };
}
