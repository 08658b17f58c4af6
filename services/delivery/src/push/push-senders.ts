import { setTimeout as sleep } from 'node:timers/promises';
import { type Registry, registryBelief } from '@relay/bus';
import { type AgentId, timestampAt } from '@relay/protocol';

/** What a read that began before may still take. */
const margin = 100;

/**
 * The agents that ever made a push notification config. Only their tasks are looked up when they change, and
 * that an agent is none of them is believed for a moment: so the first config of an agent takes that long.
 */
export class PushSenders {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  async has(agentId: AgentId): Promise<boolean> {
    const agent = await this.#registry.agentById(agentId);
    return agent !== undefined && agent.push_configs_since !== null;
  }

  /** From then on every change of a task of the agent is looked at. */
  async add(agentId: AgentId): Promise<void> {
    const since = timestampAt(Date.now());
    const { agents } = this.#registry;
    await agents.change(agentId, (agent) =>
      agent && agent.push_configs_since === null
        ? { ...agent, push_configs_since: since }
        : undefined,
    );
    const agent = (await agents.get(agentId))?.value;
    const wait =
      Date.parse(agent?.push_configs_since ?? since) + registryBelief + margin - Date.now();
    if (wait > 0) await sleep(Math.min(wait, registryBelief + margin));
  }
}
