import type { Registry } from '@relay/bus';
import { type AgentId, type AgentRecord, type Handle, RelayError } from '@relay/protocol';
import type { GatewayContext } from '../gateway-context.ts';
import { commandFields } from '../webhooks/delivery-commands.ts';
import { dropOwnedAgent } from './owned-agents.ts';

type Context = Pick<GatewayContext, 'registry' | 'deliveryCommands'>;

/**
 * Deletes an agent, in the reverse order of its creation. Its open tasks stay as they are, and its handle
 * stays taken, or another agent could pose as it.
 * @throws RelayError agentNotFound
 */
export async function deleteAgent(
  context: Context,
  { id, handle }: Pick<AgentRecord, 'id' | 'handle'>,
): Promise<void> {
  const { registry } = context;
  const { agentId, revision } = await readHandle(registry, handle);
  // Another agent may have got the handle meanwhile.
  if (agentId !== id) throw new RelayError('agentNotFound');
  const agent = await endAgent(context, id);
  const isDeleted = await registry.handles.update(handle, { agentId: null }, revision);
  if (isDeleted === undefined) throw changedMeanwhile();
  await forgetAgent(registry, agent);
}

/**
 * Lets a handle be given again, and deletes the agent that has it, if one still has.
 * @throws RelayError agentNotFound where nobody ever had it
 */
export async function freeHandle(context: Context, handle: Handle): Promise<void> {
  const { registry } = context;
  const { agentId, revision } = await readHandle(registry, handle);
  const agent = agentId === null ? undefined : await endAgent(context, agentId);
  if (!(await registry.handles.deleteAt(handle, revision))) throw changedMeanwhile();
  await forgetAgent(registry, agent);
}

async function readHandle(registry: Registry, handle: Handle) {
  const entry = await registry.handles.get(handle);
  if (!entry || entry.value.personId) throw new RelayError('agentNotFound');
  return { agentId: entry.value.agentId, revision: entry.revision };
}

/** Nothing is taken from it any more, and nothing sent to it. */
async function endAgent(
  { registry, deliveryCommands }: Context,
  agentId: AgentId,
): Promise<AgentRecord | undefined> {
  const agent = (await registry.agents.get(agentId))?.value;
  for (const { sha256 } of agent?.tokens ?? []) await registry.tokens.delete(sha256);
  await deliveryCommands.execute<'delete-all-subscriptions'>({
    ...commandFields(agentId),
    type: 'delete-all-subscriptions',
  });
  return agent;
}

async function forgetAgent(registry: Registry, agent: AgentRecord | undefined): Promise<void> {
  if (!agent) return;
  await registry.agents.delete(agent.id);
  await dropOwnedAgent(registry, agent);
  await registry.contactRules.forgetAllOf(agent.id);
  registry.forget(agent);
}

function changedMeanwhile(): RelayError {
  const message = 'The agent was changed meanwhile. Try again.';
  return new RelayError({ error: 'conflict', message });
}
