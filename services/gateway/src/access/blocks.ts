import type { Registry } from '@relay/bus';
import { type Contact, handleOf, idOf } from '@relay/domain';
import { type AgentRecord, type BlockedHandle, RelayError, timestampAt } from '@relay/protocol';
import { byTime, markAsRuling, readRuledContacts } from './contact-rules.ts';

/** Whom an agent blocks, newest first. */
export async function readBlocks(
  registry: Registry,
  agent: AgentRecord,
): Promise<readonly BlockedHandle[]> {
  const contacts = await readRuledContacts(registry, agent);
  return contacts
    .flatMap(({ contact, rule }) =>
      rule.block ? [{ handle: handleOf(contact), ...rule.block }] : [],
    )
    .toSorted(byTime(({ blocked_at }) => blocked_at));
}

/**
 * Blocks a contact. One that is blocked stays so as it is.
 * @throws RelayError ownHandle
 */
export async function block(
  registry: Registry,
  agent: AgentRecord,
  contact: Contact,
  reason: string | null,
): Promise<BlockedHandle> {
  const id = idOf(contact);
  if (id === agent.id) throw new RelayError('ownHandle');
  const made = { reason, blocked_at: timestampAt(Date.now()) };
  const ruling = await markAsRuling(registry, agent);
  const rule = await registry.contactRules.change(ruling, id, (current) => ({
    ...current,
    block: current.block ?? made,
  }));
  return { handle: handleOf(contact), ...(rule?.block ?? made) };
}

/** @throws RelayError blockNotFound where the contact is not blocked */
export async function unblock(
  registry: Registry,
  agent: AgentRecord,
  contact: Contact,
): Promise<void> {
  const removed = await registry.contactRules.change(agent, idOf(contact), (current) =>
    current.block ? { ...current, block: null } : undefined,
  );
  if (!removed) throw new RelayError('blockNotFound');
}
