import type {
  AgentId,
  Artifact,
  ChangeId,
  ChatId,
  ChatMessageId,
  ContactCard,
  Message,
  Metadata,
  SettableState,
  Task,
  TaskId,
  Timestamp,
  TraceId,
} from '@relay/protocol';
import type { ChatContact } from './chat/chat-contact.ts';

/** The whole task after one of its changes, as the record holds it. */
export interface TaskSnapshot {
  /** What A2A shows: full history, all artifacts. */
  readonly task: Task;
  readonly requesterId: AgentId;
  readonly calleeId: AgentId;
  /** Counts the changes of this task, from 1. */
  readonly revision: number;
  /** The revision that set the current status. */
  readonly statusRevision: number;
  readonly updatedAt: Timestamp;
  /** The requester's messages and the revision that took each in: a repeat is recognised by it. */
  readonly requesterMessages: readonly RevisionOf<'messageId', string>[];
  /** The last changes: a command that comes again answers its first outcome. */
  readonly recentChanges: readonly RevisionOf<'changeId', ChangeId>[];
  /** The callee answered with a Message instead of working on the task (contract §2.3). */
  readonly answeredByMessage: boolean;
  /** The message in a chat that the callee made a task of (contract §3.8). */
  readonly origin?: { readonly chatId: ChatId; readonly messageId: ChatMessageId } | undefined;
}

type RevisionOf<Name extends string, Id> = { readonly [Key in Name]: Id } & {
  readonly revision: number;
};

interface CommandFields {
  readonly taskId: TaskId;
  /** Minted once by the gateway and kept on retries; becomes the id of the change. */
  readonly changeId: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
}

/** A request to change a task. It may be refused. */
export type TaskCommand = CommandFields &
  (
    | {
        readonly type: 'submit';
        readonly requester: ContactCard;
        readonly calleeId: AgentId;
        readonly calleeAcceptsTasks: boolean;
        readonly contextId: string;
        readonly message: Message;
        readonly metadata: Metadata | undefined;
        /** Where the message goes while the callee accepts no tasks; without it, it is refused then. */
        readonly offer?: ExchangeOffer | undefined;
      }
    | {
        readonly type: 'follow-up';
        readonly requesterId: AgentId;
        readonly calleeId: AgentId;
        readonly message: Message;
      }
    | {
        readonly type: 'cancel';
        readonly requesterId: AgentId;
        /** Absent where the caller names the task alone. */
        readonly calleeId: AgentId | undefined;
      }
    | {
        readonly type: 'set-status';
        readonly calleeId: AgentId;
        readonly state: SettableState;
        readonly message: Message | undefined;
      }
    | { readonly type: 'add-artifact'; readonly calleeId: AgentId; readonly artifact: Artifact }
    | { readonly type: 'reply'; readonly calleeId: AgentId; readonly message: Message }
  );

/** The chat that holds a message to an agent that takes no tasks, and who that agent is. */
export interface ExchangeOffer {
  readonly chatId: ChatId;
  readonly callee: ChatContact;
}

/** The call by which a callee makes a task of a message. */
export type TaskOpening =
  | {
      readonly type: 'set-status';
      readonly state: SettableState;
      readonly message: Message | undefined;
    }
  | { readonly type: 'add-artifact'; readonly artifact: Artifact }
  | { readonly type: 'reply'; readonly message: Message };

interface ChangeFields {
  readonly id: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
  readonly revision: number;
}

/** A fact about a task. Immutable; its content is part of it only until the record takes it in. */
export type TaskChange = ChangeFields &
  (
    | {
        readonly type: 'submitted';
        readonly taskId: TaskId;
        readonly requester: ContactCard;
        readonly calleeId: AgentId;
        readonly contextId: string;
        readonly message: Message;
        readonly metadata: Metadata | undefined;
      }
    | { readonly type: 'message-added'; readonly message: Message }
    | {
        readonly type: 'status-changed';
        readonly state: SettableState;
        readonly message: Message | undefined;
      }
    | { readonly type: 'artifact-added'; readonly artifact: Artifact }
    | { readonly type: 'replied'; readonly message: Message }
    | { readonly type: 'canceled' }
  );

/** A change as the record holds it: its content by reference, since the snapshot beside it has it. */
export type RecordedTaskChange = ChangeFields &
  (
    | { readonly type: 'submitted' | 'message-added'; readonly messageId: string }
    | { readonly type: 'artifact-added'; readonly artifactId: string }
    | { readonly type: 'status-changed' | 'replied' | 'canceled' | 'opened' }
  );

/** The change without the content that the snapshot after it holds. */
export function toRecordedChange(change: TaskChange): RecordedTaskChange {
  const { id, traceId, at, revision, type } = change;
  const fields = { id, traceId, at, revision };
  switch (type) {
    case 'submitted':
    case 'message-added':
      return { type, messageId: change.message.messageId, ...fields };
    case 'artifact-added':
      return { type, artifactId: change.artifact.artifactId, ...fields };
    case 'status-changed':
    case 'replied':
    case 'canceled':
      return { type, ...fields };
  }
}
