import { AgentClient } from '../../support/ledger/agent-client.ts';
import type { Agent, Delivery } from '../agents/orders.ts';
import type { MessageRange, Target } from '../load/orders.ts';
import type { TrackedProcess } from '../measure/processes.ts';
import { type Contender, type ContenderStart, headersFor } from './contender.ts';
import { type Relay, type RelaySettings, type RelayVariant, relayVariants } from './relays.ts';
import { Teardown } from './teardown.ts';

/** The agent that the tasks go to, in a process of its own. */
interface Callee {
  readonly process: TrackedProcess;
  settle?(sent: MessageRange): Promise<Delivery>;
  stop(): Promise<void>;
}

type CalleeStart = (agent: Agent) => Promise<Callee>;

/** Relay in each way it runs, with a callee that holds its WebSocket. @param takesTasks whether the callee does */
export function relayContenders(
  settings: RelaySettings,
  startCallee: CalleeStart,
  takesTasks = true,
) {
  return relayVariants.map(
    (variant): ContenderStart => ({
      name: variant.name,
      start: () => startContender(variant, settings, { startCallee, takesTasks }),
    }),
  );
}

async function startContender(
  variant: RelayVariant,
  settings: RelaySettings,
  { startCallee, takesTasks }: { startCallee: CalleeStart; takesTasks: boolean },
): Promise<Contender> {
  const teardown = new Teardown();
  const relay = await teardown.start(
    () => variant.start(settings),
    (started) => started.stop(),
  );
  const { target, callee } = await teardown.start(
    () => registerPair(relay, takesTasks),
    async () => undefined,
  );
  const agent = await teardown.start(
    () => startCallee(callee),
    (started) => started.stop(),
  );
  return {
    target,
    processes: relay.processes,
    helpers: [agent.process],
    settle: async (sent) => agent.settle?.(sent),
    stop: () => teardown.run(),
  };
}

export interface Pair {
  /** The callee's address, for the caller's token. */
  readonly target: Target;
  readonly callee: Agent;
}

export async function registerPair(
  { origin, adminToken }: Relay,
  takesTasks = true,
): Promise<Pair> {
  const caller = await AgentClient.register([origin], adminToken, false);
  const callee = await AgentClient.register([origin], adminToken, takesTasks);
  return {
    target: { origin, path: `/${callee.handle}`, headers: headersFor(caller.token) },
    callee: { origin, token: callee.token },
  };
}
