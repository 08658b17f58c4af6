import type {
  AgentId,
  ChangeId,
  ChatId,
  ChatMessageId,
  ChatPart,
  Metadata,
  TaskId,
  Timestamp,
  TraceId,
} from '@relay/protocol';
import type { TaskOpening } from '../task.ts';
import type { ChatContact } from './chat-contact.ts';

export interface ChatMember {
  readonly contact: ChatContact;
  readonly status: 'active' | 'left' | 'removed';
  readonly joinedAt: Timestamp;
  readonly leftAt: Timestamp | null;
  /** The first revision that it sees. */
  readonly visibleFrom: number;
  /** The last revision that it has marked as read; 0 for none. */
  readonly readThrough: number;
  /** When the chat last changed for it, where later messages were kept from it. */
  readonly changedAt?: Timestamp | undefined;
}

export interface MessageReference {
  readonly messageId: ChatMessageId;
  readonly partIndex: number;
}

/** How a message came that was sent to an agent's A2A address (contract §3.7). */
export interface A2aOrigin {
  /** The sender's own messageId. */
  readonly messageId: string;
  /** Reserved: the id of the task that this message may still become. */
  readonly taskId: TaskId;
}

/** A message as it is to be sent. Its id is minted or derived before. */
export interface NewChatMessage {
  readonly id: ChatMessageId;
  readonly parts: readonly ChatPart[];
  readonly replyTo: MessageReference | null;
  /** The thread of what it replies to, where the chat may have forgotten that by now. */
  readonly thread: MessageReference | null;
  readonly silent: boolean;
  readonly metadata: Metadata | null;
  readonly idempotencyKey: string | null;
  readonly a2a: A2aOrigin | null;
  /** Members that never get it, for a block (contract §1.7). */
  readonly keptFrom?: readonly AgentId[] | undefined;
}

export interface ChatMessage extends NewChatMessage {
  readonly senderId: AgentId;
}

/** A message of before, and when it was sent. */
export interface ReadMessage {
  readonly message: ChatMessage;
  readonly sentAt: Timestamp;
}

/** A message at the A2A address that waits for its answer in a direct chat. */
export interface OpenExchange {
  readonly taskId: TaskId;
  readonly messageId: ChatMessageId;
  readonly requesterId: AgentId;
}

/** How an exchange ended, and by which change. */
export interface SettledExchange {
  readonly taskId: TaskId;
  readonly outcome: 'answered' | 'opened' | 'lapsed';
  readonly revision: number;
}

interface RecentMessage {
  readonly id: ChatMessageId;
  /** Of the thread that a reply to it belongs to; itself unless it is a reply. */
  readonly thread: MessageReference | null;
  readonly keptFrom?: readonly AgentId[] | undefined;
  readonly at: Timestamp;
}

/** The small state of a chat after one of its changes. Messages are in the changes alone. */
export interface ChatSnapshot {
  readonly chatId: ChatId;
  readonly isGroup: boolean;
  readonly displayName: string | null;
  readonly iconUrl: string | null;
  readonly members: readonly ChatMember[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Counts the changes of this chat, from 1. */
  readonly revision: number;
  /** The revision of the last message; 0 for none. */
  readonly lastMessageRevision: number;
  /** Who wrote last, how many messages in a row, and the last of them. */
  readonly lastRun:
    | {
        readonly agentId: AgentId;
        readonly messageId: ChatMessageId;
        readonly length: number;
      }
    | undefined;
  readonly openExchanges: readonly OpenExchange[];
  readonly settledExchanges: readonly SettledExchange[];
  /** A message that comes again is recognised by its id. */
  readonly recentMessages: readonly RecentMessage[];
  readonly recentChanges: readonly { readonly changeId: ChangeId; readonly revision: number }[];
}

/** With whom a chat begins, where the message is its first. */
export interface ChatBeginning {
  readonly isGroup: boolean;
  readonly members: readonly ChatContact[];
}

interface CommandFields {
  readonly chatId: ChatId;
  /** Minted once and kept on retries; becomes the id of the change. */
  readonly changeId: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
}

/** A request to change a chat. It may be refused. */
export type ChatCommand = CommandFields &
  (
    | {
        readonly type: 'send';
        readonly sender: ChatContact;
        /** Absent where the chat must be there. */
        readonly beginning: ChatBeginning | undefined;
        readonly message: NewChatMessage;
        /** When the message was first sent: a repeat may come long after. */
        readonly firstSentAt: Timestamp;
      }
    /** The callee works on an exchange instead of answering it in the chat. */
    | {
        readonly type: 'upgrade';
        readonly calleeId: AgentId;
        readonly taskId: TaskId;
        readonly opening: TaskOpening;
      }
    | { readonly type: 'mark-read'; readonly agentId: AgentId }
    | {
        readonly type: 'add-member';
        readonly byId: AgentId;
        readonly contact: ChatContact;
        readonly hidesHistory: boolean;
      }
    | { readonly type: 'remove-member'; readonly byId: AgentId; readonly agentId: AgentId }
    | { readonly type: 'leave'; readonly agentId: AgentId }
    | {
        readonly type: 'change-group';
        readonly byId: AgentId;
        readonly displayName: string | undefined;
        readonly iconUrl: string | undefined;
      }
  );

interface ChangeFields {
  readonly id: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
  readonly revision: number;
}

/** A fact about a chat. Immutable. */
export type ChatChange = ChangeFields &
  (
    | {
        readonly type: 'message-sent';
        readonly chatId: ChatId;
        readonly sender: ChatContact;
        readonly beginning: ChatBeginning | undefined;
        readonly message: ChatMessage;
        /** The exchange that it answers. */
        readonly answers: TaskId | null;
      }
    | { readonly type: 'upgraded'; readonly taskId: TaskId; readonly opening: TaskOpening }
    /** `after` is how far the agent had read before. */
    | {
        readonly type: 'read';
        readonly agentId: AgentId;
        readonly after: number;
        readonly through: number;
        /**
         * Which messages by it all who got them have read, oldest first; the last ones of many. Whoever
         * appends the change adds them.
         */
        readonly readByAll: readonly ReadMessage[];
      }
    | {
        readonly type: 'member-added';
        readonly byId: AgentId;
        readonly contact: ChatContact;
        readonly hidesHistory: boolean;
      }
    | { readonly type: 'member-removed'; readonly byId: AgentId; readonly agentId: AgentId }
    | { readonly type: 'member-left'; readonly agentId: AgentId }
    | {
        readonly type: 'group-changed';
        readonly byId: AgentId;
        readonly displayName: string | undefined;
        readonly iconUrl: string | undefined;
      }
  );
