import type { Registry } from '@relay/bus';
import { checkMayMessage, isKeptFrom, type RulesBetween } from '@relay/domain';
import type { AgentId, AgentRecord, PersonRecord, Refusal } from '@relay/protocol';

/** Why an agent may not message another, if it may not (contract §1.6). All that it reads is cached. */
export async function refusalToMessage(
  registry: Registry,
  sender: AgentRecord,
  receiver: AgentRecord,
): Promise<Refusal | undefined> {
  const rules = await rulesBetween(registry, sender, receiver);
  return checkMayMessage({ kind: 'agent', agent: sender }, receiver, rules);
}

/** Why a person may not message an agent, if it may not. Persons have no rules of their own. */
export async function refusalToPerson(
  { contactRules }: Registry,
  person: PersonRecord,
  receiver: AgentRecord,
): Promise<Refusal | undefined> {
  const ofReceiver = await contactRules.find(receiver, person.id);
  return checkMayMessage({ kind: 'user', person }, receiver, { ofReceiver, ofSender: undefined });
}

/** The members of an existing chat from whom a message is kept, since somebody blocked somebody. */
export async function keptFrom(
  registry: Registry,
  sender: AgentRecord,
  { others, isGroup }: { readonly others: readonly AgentId[]; readonly isGroup: boolean },
): Promise<AgentId[]> {
  const kept = others.map(async (id) => {
    const receiver = await registry.agentById(id);
    const isKept = receiver && isKeptFrom(await rulesBetween(registry, sender, receiver), isGroup);
    return isKept ? [id] : [];
  });
  return (await Promise.all(kept)).flat();
}

async function rulesBetween(
  { contactRules }: Registry,
  sender: AgentRecord,
  receiver: AgentRecord,
): Promise<RulesBetween> {
  const [ofReceiver, ofSender] = await Promise.all([
    contactRules.find(receiver, sender.id),
    contactRules.find(sender, receiver.id),
  ]);
  return { ofReceiver, ofSender };
}
