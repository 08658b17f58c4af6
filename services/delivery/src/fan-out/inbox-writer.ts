import type { AgentId } from '@relay/protocol';
import { ShownGauge } from '@relay/runtime';
import { LRUCache } from 'lru-cache';
import { AppendChain, type AppendContext, type InboxEnd } from './append-chain.ts';
import type { AgentEvents } from './source-marks.ts';

/** An agent that is not remembered costs one read. */
const rememberedAgents = 20_000;

const oldestPending = new ShownGauge({
  name: 'relay_feed_oldest_pending_seconds',
  help: "Age of the oldest change whose events could not be appended to a recipient's feed yet; 0 without any.",
});

/** Appends to the inboxes of all agents: one after the other for one agent, side by side for several. */
export class InboxWriter {
  readonly #context: AppendContext;
  readonly #chains = new Map<AgentId, AppendChain>();
  readonly #ends = new LRUCache<AgentId, InboxEnd>({ max: rememberedAgents });

  constructor(context: AppendContext) {
    this.#context = context;
    oldestPending.show(() => [{ value: this.#oldestPendingSeconds() }]);
  }

  /** @returns true when the events are in the inbox, false when the lease was lost before */
  append(agentId: AgentId, entry: AgentEvents): Promise<boolean> {
    return (this.#chains.get(agentId) ?? this.#start(agentId)).add(entry);
  }

  /** Under a new lease each agent's inbox is read before it is appended to. */
  forget(): void {
    this.#ends.clear();
  }

  #oldestPendingSeconds(): number {
    const now = Date.now();
    const since = [...this.#chains.values()].map(({ waitingSince }) => waitingSince);
    return (now - since.reduce((oldest, each) => Math.min(oldest, each), now)) / 1_000;
  }

  #start(agentId: AgentId): AppendChain {
    const chain = new AppendChain(this.#context, agentId, this.#ends.get(agentId), (end) => {
      this.#chains.delete(agentId);
      if (end) this.#ends.set(agentId, end);
    });
    this.#chains.set(agentId, chain);
    return chain;
  }
}
