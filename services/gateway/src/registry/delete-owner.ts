import type { Registry } from '@relay/bus';
import { type OwnerRecord, type PersonRecord, RelayError } from '@relay/protocol';
import { ownsAnAgent } from './owned-agents.ts';

/**
 * Deletes an owner that owns no agent, and revokes its tokens. A person's handle stays taken. An agent that
 * is given to it at that very moment becomes nobody's.
 * @throws RelayError conflict where it owns an agent, notFound where it was deleted meanwhile
 */
export async function deleteOwner(registry: Registry, { id }: OwnerRecord): Promise<void> {
  if (await ownsAnAgent(registry, id)) {
    const message = 'The owner has agents. Give them to another one, or delete them first.';
    throw new RelayError({ error: 'conflict', message });
  }
  for (;;) {
    const entry = await registry.owners.get(id);
    if (!entry) throw new RelayError('notFound');
    const { value: owner, revision } = entry;
    for (const { sha256 } of owner.tokens) await registry.tokens.delete(sha256);
    if (owner.kind === 'user') await retireHandle(registry, owner);
    if (!(await registry.owners.deleteAt(id, revision))) continue;
    if (owner.kind === 'user') await registry.contactRules.forgetAllOf(id);
    registry.forgetOwner(owner);
    return;
  }
}

/** Nobody else may pose as the person. */
async function retireHandle(registry: Registry, { id, handle }: PersonRecord): Promise<void> {
  await registry.handles.change(handle, (current) =>
    current?.personId === id ? { agentId: null } : undefined,
  );
}
