import type { AgentRecord, OwnerId, OwnerRecord } from '@relay/protocol';

/** An agent, and who owns it; undefined where nobody does. */
export interface OwnedAgent {
  readonly agent: AgentRecord;
  readonly owner: OwnerRecord | undefined;
}

/** For whom an owner acts: itself, and the organizations that a person is a member of. */
export function actsFor(owner: OwnerRecord): readonly OwnerId[] {
  return owner.kind === 'organization' ? [owner.id] : [owner.id, ...owner.organizations];
}

/** Whether an owner manages an agent. */
export function manages(owner: OwnerRecord, { owner_id }: AgentRecord): boolean {
  return owner_id !== null && actsFor(owner).includes(owner_id);
}

/** Whether two agents have one owner; agents that nobody owns have none in common. */
export function haveSameOwner(a: AgentRecord, b: AgentRecord): boolean {
  return a.owner_id !== null && a.owner_id === b.owner_id;
}
