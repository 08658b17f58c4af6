import type { Registry } from '@relay/bus';
import type { Contact, OwnedAgent } from '@relay/domain';
import {
  type AgentId,
  agentIdSchema,
  type Handle,
  handleSchema,
  type OwnerId,
  type OwnerRecord,
  ownerIdSchema,
} from '@relay/protocol';

/** Contacts as the registry has them now: what an agent has just changed of itself must be seen everywhere. */

/** Reads an owner; whoever reads many agents reads each owner once. */
export type OwnerReader = (id: OwnerId) => Promise<OwnerRecord | undefined>;

export function readOwnersOnce({ owners }: Registry): OwnerReader {
  const reads = new Map<OwnerId, Promise<OwnerRecord | undefined>>();
  return (id) => {
    const read = reads.get(id) ?? owners.get(id).then((entry) => entry?.value);
    reads.set(id, read);
    return read;
  };
}

/** An agent whose registration is done: its handle is the commit. */
export async function readAgent(
  registry: Registry,
  id: AgentId,
  readOwner: OwnerReader = readOwnersOnce(registry),
): Promise<OwnedAgent | undefined> {
  const agent = (await registry.agents.get(id))?.value;
  if (!agent) return undefined;
  const [handle, owner] = await Promise.all([
    registry.handles.get(agent.handle),
    agent.owner_id === null ? undefined : readOwner(agent.owner_id),
  ]);
  return handle?.value.agentId === id ? { agent, owner } : undefined;
}

/** Whoever has the handle, however it is written. */
export async function readContactByHandle(
  registry: Registry,
  written: string,
): Promise<Contact | undefined> {
  const handle = handleSchema.safeParse(written.trim().toLowerCase().replace(/^@/, ''));
  if (!handle.success) return undefined;
  const { agentId, personId } = (await readHandle(registry, handle.data)) ?? {};
  const owned = agentId ? await readAgent(registry, agentId) : undefined;
  if (owned) return { kind: 'agent', ...owned };
  return personId ? readPerson(registry, personId) : undefined;
}

/** Whose id it is. */
export async function readContactById(
  registry: Registry,
  id: string,
): Promise<Contact | undefined> {
  const owned = await readAgent(registry, agentIdSchema.parse(id));
  return owned ? { kind: 'agent', ...owned } : readPerson(registry, ownerIdSchema.parse(id));
}

async function readHandle({ handles }: Registry, handle: Handle) {
  return (await handles.get(handle))?.value;
}

async function readPerson({ owners }: Registry, id: OwnerId): Promise<Contact | undefined> {
  const person = (await owners.get(id))?.value;
  return person?.kind === 'user' ? { kind: 'user', person } : undefined;
}
