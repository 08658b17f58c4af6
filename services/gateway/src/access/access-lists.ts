import type { Registry } from '@relay/bus';
import { type Contact, checkListable, idOf, toContactLookup } from '@relay/domain';
import {
  type AccessLists,
  type AgentRecord,
  type ContactRule,
  RelayError,
  timestampAt,
} from '@relay/protocol';
import { byTime, markAsRuling, type RuledContact, readRuledContacts } from './contact-rules.ts';

type AccessRule = NonNullable<ContactRule['access']>['rule'];

/** Whom an agent always takes messages from, and whom never; each list newest first. */
export async function readAccessLists(
  registry: Registry,
  agent: AgentRecord,
): Promise<AccessLists> {
  const contacts = await readRuledContacts(registry, agent);
  const listed = contacts.toSorted(
    byTime(({ rule }: RuledContact) => rule.access?.listed_at ?? ''),
  );
  const listOf = (wanted: AccessRule) =>
    listed
      .filter(({ rule }) => rule.access?.rule === wanted)
      .map(({ contact }) => toContactLookup(contact));
  return { allow: listOf('allow'), deny: listOf('deny') };
}

/**
 * Puts a contact on a list, and so takes it off the other one.
 * @throws RelayError notListable
 */
export async function setAccess(
  registry: Registry,
  agent: AgentRecord,
  contact: Contact,
  rule: AccessRule,
): Promise<void> {
  const refusal = checkListable(agent, contact, rule);
  if (refusal) throw new RelayError(refusal);
  const listed_at = timestampAt(Date.now());
  const ruling = await markAsRuling(registry, agent);
  await registry.contactRules.change(ruling, idOf(contact), (current) =>
    current.access?.rule === rule ? undefined : { ...current, access: { rule, listed_at } },
  );
}

/** @throws RelayError agentNotFound where the contact is on neither list */
export async function removeAccess(
  registry: Registry,
  agent: AgentRecord,
  contact: Contact,
): Promise<void> {
  const removed = await registry.contactRules.change(agent, idOf(contact), (current) =>
    current.access ? { ...current, access: null } : undefined,
  );
  if (!removed) throw new RelayError('agentNotFound');
}
