import { activeMembers, type ChatChange, type ChatSnapshot } from '@relay/domain';
import {
  type AgentId,
  type ChangeId,
  type ChatId,
  type ChatMessageId,
  chatIdSchema,
  isJsonObject,
  type TaskId,
} from '@relay/protocol';
import { z } from 'zod';
import type { Appender, AppendOutcome } from './appender.ts';
import { type Stream, type StreamMessage, textOf } from './stream.ts';
import { subjects } from './subjects.ts';

/** One message of CHATS: a change, and the chat's small state after it. */
export interface RecordedChat {
  readonly change: ChatChange;
  readonly snapshot: ChatSnapshot;
  readonly sequence: number;
  /** Sequence of the chat's change before this one. */
  readonly previous: number;
}

type ChatBody = Pick<RecordedChat, 'change' | 'snapshot'>;

const indexHeader = 'Relay-Index';

interface ChatIndexFields {
  readonly changeId: ChangeId;
  readonly type: ChatChange['type'];
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who sees the chat in its list of chats. */
  readonly memberIds: readonly AgentId[];
  /** Of a message; system events have the id of their change. */
  readonly messageId?: string | undefined;
  /** The message that began the thread that this one is in. */
  readonly threadId?: ChatMessageId | undefined;
  /** Members that do not see the message. */
  readonly keptFrom?: readonly AgentId[] | undefined;
  /** The exchange that this change settles. */
  readonly settles?: TaskId | undefined;
  /** Who is no member any more. */
  readonly goneId?: AgentId | undefined;
  readonly reader?: { readonly agentId: AgentId; readonly through: number } | undefined;
}

/** What a reader of headers alone learns of a change. */
export type ChatIndex = ChatIndexFields & { readonly chatId: ChatId; readonly sequence: number };

/** The record of chats: who may read and append is up to the caller (only task-manager appends). */
export class ChatRecord {
  readonly stream: Stream;
  readonly #appender: Appender;

  constructor(stream: Stream, appender: Appender) {
    this.stream = stream;
    this.#appender = appender;
  }

  /** The chat's last change. */
  async read(chatId: ChatId): Promise<RecordedChat | undefined> {
    const message = await this.stream.readLast(subjects.chat(chatId));
    return message && this.decode(message);
  }

  /** The change at a place in the record, if it is one of that chat. */
  async readAt(chatId: ChatId, sequence: number): Promise<RecordedChat | undefined> {
    const message = await this.stream.readAt(sequence);
    return message && message.subject === subjects.chat(chatId) ? this.decode(message) : undefined;
  }

  decode(message: StreamMessage): RecordedChat {
    const { sequence, previous } = message;
    return { ...bodySchema.parse(JSON.parse(textOf(message.data))), sequence, previous };
  }

  /**
   * @param payload the change and the state, encoded
   * @param earlier sequence of the chat's change before this one; 0 for none
   */
  append(body: ChatBody, payload: Uint8Array, earlier: number): Promise<AppendOutcome> {
    const { change, snapshot } = body;
    return this.#appender.append({
      subject: subjects.chat(snapshot.chatId),
      payload,
      headers: { [indexHeader]: JSON.stringify(indexOf(change, snapshot)) },
      expectedLastSequence: earlier,
    });
  }

  /**
   * The changes of a chat from its last one back, newest first. Each costs a read: it is for what is rare,
   * and for changes not far back.
   */
  async *backwards(chatId: ChatId): AsyncGenerator<RecordedChat, void> {
    let recorded = await this.read(chatId);
    while (recorded) {
      yield recorded;
      recorded = recorded.previous > 0 ? await this.readAt(chatId, recorded.previous) : undefined;
    }
  }
}

/** A change and the chat's state after it, as the record holds them. */
export function encodeChat(body: ChatBody): Buffer {
  return Buffer.from(JSON.stringify(body));
}

/** The record was written by Relay alone, so what it holds is taken at its word. */
const bodySchema = z.custom<ChatBody>(isJsonObject);
const indexSchema = z.custom<ChatIndexFields>(isJsonObject);

export function readChatIndex(message: StreamMessage): ChatIndex {
  const chatId = chatIdSchema.parse(message.subject.slice(message.subject.lastIndexOf('.') + 1));
  const fields = indexSchema.parse(JSON.parse(message.header(indexHeader)));
  return { chatId, sequence: message.sequence, ...fields };
}

function indexOf(change: ChatChange, snapshot: ChatSnapshot): ChatIndexFields {
  const { id: changeId, type, revision } = change;
  const memberIds = activeMembers(snapshot).map(({ contact }) => contact.id);
  const fields = { changeId, type, revision, at: Date.parse(change.at), memberIds };
  switch (change.type) {
    case 'message-sent': {
      const { id: messageId, thread, keptFrom } = change.message;
      const threadId = thread?.messageId;
      const settles = change.answers ?? undefined;
      return { messageId, threadId, keptFrom, settles, ...fields };
    }
    case 'upgraded':
      return { settles: change.taskId, ...fields };
    case 'read':
      return { reader: { agentId: change.agentId, through: change.through }, ...fields };
    case 'member-removed':
    case 'member-left':
      return { messageId: changeId, goneId: change.agentId, ...fields };
    case 'member-added':
    case 'group-changed':
      return { messageId: changeId, ...fields };
  }
}
