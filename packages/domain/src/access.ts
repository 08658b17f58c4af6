import type { AgentRecord, ContactRule, PersonRecord, Refusal } from '@relay/protocol';
import { haveSameOwner, manages } from './ownership.ts';

/** Who wants to message an agent. */
export type Sender =
  | { readonly kind: 'agent'; readonly agent: AgentRecord }
  | { readonly kind: 'user'; readonly person: PersonRecord };

/** What two contacts say of each other; undefined where one says nothing. */
export interface RulesBetween {
  readonly ofReceiver: ContactRule | undefined;
  readonly ofSender: ContactRule | undefined;
}

/**
 * Whether the sender may message the agent, send it a task, or add it to a group (contract §1.6): the first
 * rule that matches decides. The one place that says so.
 */
export function checkMayMessage(
  sender: Sender,
  receiver: AgentRecord,
  { ofReceiver, ofSender }: RulesBetween,
): Refusal | undefined {
  if (isItself(sender, receiver)) {
    return { error: 'invalidParams', message: "An agent can't send a task to itself." };
  }
  if (ofReceiver?.block || ofSender?.block) return { error: 'blocked' };
  if (isOfOwner(sender, receiver)) return undefined;
  const isAdmitted = ofReceiver?.access
    ? ofReceiver.access.rule === 'allow'
    : isOpenTo(sender, receiver);
  return isAdmitted ? undefined : { error: 'notMessageable' };
}

function isItself(sender: Sender, agent: AgentRecord): boolean {
  return sender.kind === 'agent' && sender.agent.id === agent.id;
}

/** Its owner, a member of the organization that owns it, or an agent of the same owner. */
function isOfOwner(sender: Sender, receiver: AgentRecord): boolean {
  return sender.kind === 'user'
    ? manages(sender.person, receiver)
    : haveSameOwner(sender.agent, receiver);
}

function isOpenTo({ kind }: Sender, receiver: AgentRecord): boolean {
  return kind === 'user' ? receiver.people_can_message : receiver.agents_can_message === 'everyone';
}

/**
 * Whether a message in an existing chat is kept from one of its members (contract §1.7): where there are two
 * by a block either way, in a group by the member's own.
 */
export function isKeptFrom({ ofReceiver, ofSender }: RulesBetween, isGroup: boolean): boolean {
  return Boolean(ofReceiver?.block) || (!isGroup && Boolean(ofSender?.block));
}

/** Whether an agent may put a contact on one of its lists: not itself, and never its owner on the second. */
export function checkListable(
  agent: AgentRecord,
  contact: Sender,
  rule: 'allow' | 'deny',
): Refusal | undefined {
  const isOwner = contact.kind === 'user' && manages(contact.person, agent);
  const isRefused = isItself(contact, agent) || (isOwner && rule === 'deny');
  return isRefused ? { error: 'notListable' } : undefined;
}
