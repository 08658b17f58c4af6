import { maximumChatMembers, type Refusal, type Timestamp } from '@relay/protocol';
import type {
  ChatChange,
  ChatCommand,
  ChatMember,
  ChatSnapshot,
  MessageReference,
  NewChatMessage,
} from './chat.ts';
import { rememberedMessages } from './evolve-chat.ts';
import { exchangeAnsweredBy, findSettled } from './exchanges.ts';

export type ChatDecision =
  | { readonly type: 'change'; readonly change: ChatChange }
  /** Nothing to do: what the command asks for was done at that revision. */
  | { readonly type: 'repeat'; readonly revision: number | undefined }
  | { readonly type: 'refusal'; readonly refusal: Refusal };

type CommandOf<Type extends ChatCommand['type']> = Extract<ChatCommand, { type: Type }>;

/**
 * What the command does to the chat as it stands. Pure. `undefined`: there is no such chat yet. Whoever is
 * no member learns nothing of it.
 */
export function decideChat(chat: ChatSnapshot | undefined, command: ChatCommand): ChatDecision {
  if (command.type === 'send') return decideSend(chat, command);
  if (command.type === 'upgrade')
    return chat ? decideUpgrade(chat, command) : refuse('taskNotFound');
  return chat ? decideOnChat(chat, command) : refuse('notFound');
}

function decideOnChat(
  chat: ChatSnapshot,
  command: Exclude<ChatCommand, { type: 'send' | 'upgrade' }>,
): ChatDecision {
  const earlier = chat.recentChanges.find(({ changeId }) => changeId === command.changeId);
  if (earlier) return { type: 'repeat', revision: earlier.revision };
  switch (command.type) {
    case 'mark-read':
      return decideRead(chat, command);
    case 'add-member':
      return decideAdd(chat, command);
    case 'remove-member':
      return decideRemove(chat, command);
    case 'leave':
      return decideLeave(chat, command);
    case 'change-group':
      return decideGroup(chat, command);
  }
}

function decideSend(chat: ChatSnapshot | undefined, command: CommandOf<'send'>): ChatDecision {
  const { message, sender, beginning, chatId } = command;
  if (chat && wasTaken(chat, message)) return { type: 'repeat', revision: undefined };
  if (chat ? !activeMember(chat, sender.id) : !beginning) return refuse('notFound');
  const thread = threadOf(chat, sender.id, message);
  if (thread === undefined) {
    return refuse('invalidParams', 'reply_to names no message of this chat.');
  }
  const answered = chat && exchangeAnsweredBy(chat, sender.id, message);
  return change(chat, command, {
    type: 'message-sent',
    chatId,
    sender,
    beginning: chat ? undefined : beginning,
    message: { ...message, senderId: sender.id, thread },
    answers: answered?.taskId ?? null,
  });
}

/** An exchange is known for longer than its message is. */
function wasTaken(chat: ChatSnapshot, { id, a2a }: NewChatMessage): boolean {
  const isOpen = chat.openExchanges.some(({ messageId }) => messageId === id);
  const isSettled = a2a !== null && findSettled(chat, a2a.taskId) !== undefined;
  return isOpen || isSettled || chat.recentMessages.some((recent) => recent.id === id);
}

/** Whether a message that was first sent then may have been taken in and forgotten since. */
export function mayHaveForgotten(
  { recentMessages }: Pick<ChatSnapshot, 'recentMessages'>,
  firstSentAt: Timestamp,
): boolean {
  const [oldest] = recentMessages;
  const isFull = recentMessages.length === rememberedMessages;
  return isFull && oldest !== undefined && oldest.at >= firstSentAt;
}

/** Undefined where what it replies to is not known, here or by whoever sends it. */
function threadOf(
  chat: ChatSnapshot | undefined,
  senderId: ChatMember['contact']['id'],
  { replyTo, thread }: NewChatMessage,
): MessageReference | null | undefined {
  if (!replyTo) return null;
  const target = chat?.recentMessages.find(
    ({ id, keptFrom }) => id === replyTo.messageId && !keptFrom?.includes(senderId),
  );
  if (target) return target.thread ?? replyTo;
  const isExchange = chat?.openExchanges.some(({ messageId }) => messageId === replyTo.messageId);
  return thread ?? (isExchange ? replyTo : undefined);
}

function decideUpgrade(chat: ChatSnapshot, command: CommandOf<'upgrade'>): ChatDecision {
  const { taskId, calleeId, opening } = command;
  if (!activeMember(chat, calleeId)) return refuse('taskNotFound');
  const settled = findSettled(chat, taskId);
  if (settled?.outcome === 'answered') return refuse('answeredInChat');
  // Another call opened it: that one goes first.
  if (settled?.outcome === 'opened') return { type: 'repeat', revision: settled.revision };
  const exchange = chat.openExchanges.find((open) => open.taskId === taskId);
  if (!exchange || exchange.requesterId === calleeId) return refuse('taskNotFound');
  return change(chat, command, { type: 'upgraded', taskId, opening });
}

function decideRead(chat: ChatSnapshot, command: CommandOf<'mark-read'>): ChatDecision {
  const { agentId } = command;
  const member = activeMember(chat, agentId);
  if (!member) return refuse('notFound');
  const { readThrough: after } = member;
  const through = chat.lastMessageRevision;
  if (after >= through) return { type: 'repeat', revision: undefined };
  return change(chat, command, { type: 'read', agentId, after, through, readByAll: [] });
}

function decideAdd(chat: ChatSnapshot, command: CommandOf<'add-member'>): ChatDecision {
  const { byId, contact, hidesHistory } = command;
  const refusal = refuseGroupChange(chat, byId);
  if (refusal) return refusal;
  if (activeMember(chat, contact.id)) return refuse('conflict', 'It is a member already.');
  if (activeMembers(chat).length >= maximumChatMembers) {
    return refuse('conflict', `A chat has ${maximumChatMembers} members at most.`);
  }
  return change(chat, command, { type: 'member-added', byId, contact, hidesHistory });
}

function decideRemove(chat: ChatSnapshot, command: CommandOf<'remove-member'>): ChatDecision {
  const { byId, agentId } = command;
  const refusal = refuseGroupChange(chat, byId);
  if (refusal) return refusal;
  if (!activeMember(chat, agentId)) return refuse('notFound');
  if (byId === agentId) return refuse('conflict', 'Leave the chat instead.');
  return change(chat, command, { type: 'member-removed', byId, agentId });
}

function decideLeave(chat: ChatSnapshot, command: CommandOf<'leave'>): ChatDecision {
  const { agentId } = command;
  return (
    refuseGroupChange(chat, agentId) ?? change(chat, command, { type: 'member-left', agentId })
  );
}

function decideGroup(chat: ChatSnapshot, command: CommandOf<'change-group'>): ChatDecision {
  const { byId, displayName, iconUrl } = command;
  return (
    refuseGroupChange(chat, byId) ??
    change(chat, command, { type: 'group-changed', byId, displayName, iconUrl })
  );
}

function refuseGroupChange(
  chat: ChatSnapshot,
  byId: ChatMember['contact']['id'],
): ChatDecision | undefined {
  if (!activeMember(chat, byId)) return refuse('notFound');
  return chat.isGroup ? undefined : refuse('conflict', 'This chat is not a group.');
}

export function activeMembers({ members }: Pick<ChatSnapshot, 'members'>): readonly ChatMember[] {
  return members.filter(({ status }) => status === 'active');
}

/** The member, if the agent is one now. */
export function activeMember(
  chat: Pick<ChatSnapshot, 'members'>,
  agentId: ChatMember['contact']['id'],
): ChatMember | undefined {
  return activeMembers(chat).find(({ contact }) => contact.id === agentId);
}

/** The agent as it is or was in the chat. */
export function memberOf(
  { members }: Pick<ChatSnapshot, 'members'>,
  agentId: ChatMember['contact']['id'],
): ChatMember {
  const member = members.find(({ contact }) => contact.id === agentId);
  if (!member) throw new Error('A chat tells of nobody but its members');
  return member;
}

type ChangeContent = ChatChange extends infer Change
  ? Change extends ChatChange
    ? Omit<Change, 'id' | 'traceId' | 'at' | 'revision'>
    : never
  : never;

/** `at` never runs backwards within a chat: hosts' clocks differ. */
function change(
  chat: ChatSnapshot | undefined,
  { changeId: id, traceId, at: commandAt }: ChatCommand,
  content: ChangeContent,
): ChatDecision {
  const at = chat && chat.updatedAt > commandAt ? chat.updatedAt : commandAt;
  const revision = (chat?.revision ?? 0) + 1;
  return { type: 'change', change: { id, traceId, at, revision, ...content } };
}

function refuse(error: Refusal['error'], message?: string): ChatDecision {
  return { type: 'refusal', refusal: { error, message } };
}
