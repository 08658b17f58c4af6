import type { Registry } from '@relay/bus';
import type { Contact } from '@relay/domain';
import { type AgentRecord, type ContactRule, handleSchema, RelayError } from '@relay/protocol';
import { updateAgent } from '../registry/change-agent.ts';

const readAtOnce = 100;

/** A contact, and what an agent says of it. */
export interface RuledContact {
  readonly contact: Contact;
  readonly rule: ContactRule;
}

/**
 * An agent or a person by its handle as a request names it.
 * @throws RelayError agentNotFound
 */
export async function findContact(registry: Registry, handle: string): Promise<Contact> {
  const parsed = handleSchema.safeParse(handle);
  const contact = parsed.success ? await registry.contactByHandle(parsed.data) : undefined;
  if (!contact) throw new RelayError('agentNotFound');
  return contact;
}

/** All contacts that an agent says something of and that are still there. */
export async function readRuledContacts(
  registry: Registry,
  agent: AgentRecord,
): Promise<readonly RuledContact[]> {
  if (!agent.has_contact_rules) return [];
  const rules = [...(await registry.contactRules.allOf(agent))];
  const found: RuledContact[] = [];
  for (let at = 0; at < rules.length; at += readAtOnce) {
    const batch = rules.slice(at, at + readAtOnce).map(async ([id, rule]) => {
      const contact = await registry.contactById(id);
      if (contact) found.push({ contact, rule });
    });
    await Promise.all(batch);
  }
  return found;
}

/** Marks an agent, before its first rule, as one for which others must look. */
export async function markAsRuling(registry: Registry, agent: AgentRecord): Promise<AgentRecord> {
  if (agent.has_contact_rules) return agent;
  return updateAgent(registry, agent, (current) => ({ ...current, has_contact_rules: true }));
}

/** Newest first. */
export function byTime<Entry>(timeOf: (entry: Entry) => string) {
  return (one: Entry, other: Entry): number => timeOf(other).localeCompare(timeOf(one));
}
