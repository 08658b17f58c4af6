import type { AgentId } from '@relay/protocol';
import type { ChatChange, ChatMember, ChatSnapshot } from './chat.ts';
import type { ChatContact } from './chat-contact.ts';
import { openExchange, settleExchange } from './exchanges.ts';

/** Ids of messages that the state holds, so that one that comes again is recognised. */
export const rememberedMessages = 128;
const rememberedChanges = 16;

type ChangeOf<Type extends ChatChange['type']> = Extract<ChatChange, { type: Type }>;

/** The chat after the change. Pure, and total for every change that `decideChat` makes. */
export function evolveChat(chat: ChatSnapshot | undefined, change: ChatChange): ChatSnapshot {
  const before = chat ?? begin(change);
  const { id: changeId, revision, at: updatedAt } = change;
  const applied = apply(before, change);
  return {
    ...applied,
    members: applied.members.map((member) => noteChange(member, before, change)),
    revision,
    updatedAt,
    recentChanges: [...before.recentChanges, { changeId, revision }].slice(-rememberedChanges),
  };
}

function begin(change: ChatChange): ChatSnapshot {
  const beginning = change.type === 'message-sent' ? change.beginning : undefined;
  if (change.type !== 'message-sent' || !beginning) {
    throw new Error(`A chat cannot begin with ${change.type}`);
  }
  const { chatId, at, revision } = change;
  return {
    chatId,
    isGroup: beginning.isGroup,
    displayName: null,
    iconUrl: null,
    members: beginning.members.map((contact) => joined(contact, at)),
    createdAt: at,
    updatedAt: at,
    revision,
    lastMessageRevision: 0,
    lastRun: undefined,
    openExchanges: [],
    settledExchanges: [],
    recentMessages: [],
    recentChanges: [],
  };
}

/** For a member that does not see the change the chat stays as it was. */
function noteChange(member: ChatMember, before: ChatSnapshot, change: ChatChange): ChatMember {
  const keptFrom = change.type === 'message-sent' ? change.message.keptFrom : undefined;
  const { changedAt, ...rest } = member;
  if (keptFrom?.includes(member.contact.id)) {
    return { changedAt: changedAt ?? before.updatedAt, ...rest };
  }
  return changedAt === undefined ? member : rest;
}

function apply(chat: ChatSnapshot, change: ChatChange): ChatSnapshot {
  switch (change.type) {
    case 'message-sent':
      return takeMessage(chat, change);
    case 'upgraded': {
      const { taskId, revision } = change;
      return { ...chat, ...settleExchange(chat, { taskId, outcome: 'opened', revision }) };
    }
    case 'read':
      return changeMember(chat, change.agentId, { readThrough: change.through });
    case 'member-added':
      return addMember(chat, change);
    case 'member-removed':
      return changeMember(chat, change.agentId, { status: 'removed', leftAt: change.at });
    case 'member-left':
      return changeMember(chat, change.agentId, { status: 'left', leftAt: change.at });
    case 'group-changed':
      return {
        ...chat,
        displayName: change.displayName ?? chat.displayName,
        iconUrl: change.iconUrl ?? chat.iconUrl,
      };
  }
}

function takeMessage(before: ChatSnapshot, change: ChangeOf<'message-sent'>): ChatSnapshot {
  const { message, sender, answers, revision, at } = change;
  const { id, thread, keptFrom } = message;
  const { lastRun: last } = before;
  const length = last?.agentId === sender.id ? last.length + 1 : 1;
  const chat: ChatSnapshot = {
    ...changeMember(before, sender.id, { contact: sender }),
    lastMessageRevision: revision,
    // For who does not get it nothing was written.
    lastRun: keptFrom ? last : { agentId: sender.id, messageId: id, length },
    recentMessages: [...before.recentMessages, { id, thread, keptFrom, at }].slice(
      -rememberedMessages,
    ),
    ...(answers ? settleExchange(before, { taskId: answers, outcome: 'answered', revision }) : {}),
  };
  if (!message.a2a) return chat;
  const exchange = { taskId: message.a2a.taskId, messageId: id, requesterId: sender.id };
  return { ...chat, ...openExchange(chat, exchange, revision) };
}

/** Who comes back sees no more than a new member, but has not read what it left unread. */
function addMember(chat: ChatSnapshot, change: ChangeOf<'member-added'>): ChatSnapshot {
  const { contact, hidesHistory, at, revision } = change;
  const others = chat.members.filter((member) => member.contact.id !== contact.id);
  const visibleFrom = hidesHistory ? revision : 1;
  const earlier = chat.members.find((member) => member.contact.id === contact.id);
  const readThrough = earlier?.readThrough ?? chat.lastMessageRevision;
  return { ...chat, members: [...others, { ...joined(contact, at), visibleFrom, readThrough }] };
}

function joined(contact: ChatContact, joinedAt: ChatMember['joinedAt']): ChatMember {
  return {
    contact,
    status: 'active',
    joinedAt,
    leftAt: null,
    visibleFrom: 1,
    readThrough: 0,
  };
}

function changeMember(
  chat: ChatSnapshot,
  agentId: AgentId,
  change: Partial<ChatMember>,
): ChatSnapshot {
  const members = chat.members.map((member) =>
    member.contact.id === agentId ? { ...member, ...change } : member,
  );
  return { ...chat, members };
}
