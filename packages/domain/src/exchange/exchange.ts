import type {
  AgentId,
  ChangeId,
  ChatId,
  ChatMessageId,
  ContactCard,
  Message,
  Metadata,
  TaskId,
  Timestamp,
  TraceId,
} from '@relay/protocol';
import type { ChatContact } from '../chat/chat-contact.ts';
import type { RecordedTaskChange, TaskChange, TaskOpening, TaskSnapshot } from '../task.ts';

/**
 * What TASKS holds of a message to an agent that takes no tasks: it stands in their chat, and may still
 * become a task. The chat decides what it becomes; this is told here, where its sender waits.
 */
export interface ExchangeSnapshot {
  readonly state: 'offered' | 'answered';
  readonly taskId: TaskId;
  readonly chatId: ChatId;
  readonly chatMessageId: ChatMessageId;
  readonly requester: ContactCard;
  readonly callee: ChatContact;
  /** As its sender sent it. */
  readonly message: Message;
  readonly metadata: Metadata | undefined;
  /** The answer. */
  readonly reply: Message | undefined;
  readonly offeredAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly revision: number;
  readonly recentChanges: readonly { readonly changeId: ChangeId; readonly revision: number }[];
}

/** What TASKS holds under one id: a task, or what may become one. */
export type TaskState = TaskSnapshot | ExchangeSnapshot;

export function isExchange(state: TaskState): state is ExchangeSnapshot {
  return 'chatMessageId' in state;
}

export function taskIdOf(state: TaskState): TaskId {
  return isExchange(state) ? state.taskId : state.task.id;
}

interface OutcomeFields {
  readonly taskId: TaskId;
  /** That of the chat's change. */
  readonly changeId: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
}

/** What a chat has decided about an exchange, to be published. */
export type ExchangeOutcome = OutcomeFields &
  (
    | { readonly type: 'publish-answer'; readonly reply: Message }
    | { readonly type: 'publish-opening'; readonly opening: TaskOpening }
  );

interface ChangeFields {
  readonly id: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
  readonly revision: number;
}

export type ExchangeChange = ChangeFields &
  (
    | {
        readonly type: 'offered';
        readonly taskId: TaskId;
        readonly chatId: ChatId;
        readonly chatMessageId: ChatMessageId;
        readonly requester: ContactCard;
        readonly callee: ChatContact;
        readonly message: Message;
        readonly metadata: Metadata | undefined;
      }
    | { readonly type: 'answered'; readonly reply: Message }
    | { readonly type: 'opened'; readonly opening: TaskOpening }
  );

export type StateChange = TaskChange | ExchangeChange;

/** Changes after which there is no task yet. */
export type RecordedExchangeChange = ChangeFields & { readonly type: 'offered' | 'answered' };

/** A change and what is there after it, as the record holds them. */
export type RecordedPair =
  | { readonly change: RecordedTaskChange; readonly snapshot: TaskSnapshot }
  | { readonly change: RecordedExchangeChange; readonly snapshot: ExchangeSnapshot };

/** Whether there is a task, so that the change is one of it. */
export function isOfTask<Pair extends RecordedPair>(
  pair: Pair,
): pair is Extract<Pair, { readonly snapshot: TaskSnapshot }> {
  return !isExchange(pair.snapshot);
}

/** Whether the agent is the one that may answer. */
export function isCalleeOf(exchange: ExchangeSnapshot, agentId: AgentId): boolean {
  return exchange.callee.id === agentId;
}

/** The two agents of what is there. */
export interface TaskPair {
  readonly requesterId: AgentId;
  readonly calleeId: AgentId;
}

export function isOfPair(state: TaskState, { requesterId, calleeId }: TaskPair): boolean {
  return isExchange(state)
    ? state.requester.id === requesterId && isCalleeOf(state, calleeId)
    : state.requesterId === requesterId && state.calleeId === calleeId;
}

/** Whether what is there is of this requester and callee, and took in that message of the requester. */
export function hasMessage(
  state: TaskState,
  { messageId, ...pair }: TaskPair & { readonly messageId: string },
): boolean {
  if (!isOfPair(state, pair)) return false;
  return isExchange(state)
    ? state.message.messageId === messageId
    : state.requesterMessages.some((taken) => taken.messageId === messageId);
}
