import { type AgentId, type ChatId, type ChatMessageId, chatIdSchema } from '@relay/protocol';
import type { Redis } from 'ioredis';
import { applyChatsScript, findMessageScript, pageScript } from './chat-index-scripts.ts';
import { clearIndex, type IndexProgress, readProgress } from './index-progress.ts';
import type { IndexPosition } from './task-index.ts';
import { listScript } from './task-index-scripts.ts';

/** A change of a chat as lists and pages need it. Bodies are read from the record. */
export interface IndexedChat {
  readonly chatId: ChatId;
  readonly sequence: number;
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly memberIds: readonly AgentId[];
  readonly messageId?: string | undefined;
  readonly threadId?: string | undefined;
  /** Members that do not see the message. */
  readonly keptFrom?: readonly AgentId[] | undefined;
  /** Who is no member any more. */
  readonly goneId?: AgentId | undefined;
  readonly reader?: { readonly agentId: AgentId; readonly through: number } | undefined;
}

export interface MessagePageQuery {
  readonly chatId: ChatId;
  /** Messages that are kept from it are left out. */
  readonly viewerId: AgentId;
  /** Of one thread alone: the message that began it. */
  readonly threadId?: ChatMessageId | undefined;
  readonly order: 'asc' | 'desc';
  /** Inclusive. */
  readonly lowest: number;
  readonly highest: number;
  readonly limit: number;
}

/** Where a message stands in the record. */
export interface MessagePlace {
  readonly revision: number;
  readonly sequence: number;
}

/** Index of chats and messages in Redis, as that of tasks: filled in stream order, its progress beside it. */
export class ChatIndex {
  readonly #redis: Redis;
  readonly #stream: () => string;

  /** @param stream names the record the index is of now */
  constructor(redis: Redis, stream: () => string) {
    this.#redis = redis;
    this.#stream = stream;
  }

  progress(): Promise<IndexProgress> {
    return readProgress(this.#redis, this.#prefix);
  }

  /** Forgets everything, for a record that is not what it was. */
  clear(): Promise<void> {
    return clearIndex(this.#redis, this.#prefix);
  }

  /** @returns false where the progress stored is not the one expected */
  async apply(
    batch: readonly IndexedChat[],
    expected: number,
    progress: IndexProgress,
  ): Promise<boolean> {
    const entries = JSON.stringify(batch);
    const { sequence, changeId } = progress;
    const args = [this.#prefix, expected, sequence, entries, changeId ?? ''];
    return (await this.#redis.eval(applyChatsScript, 0, ...args)) === 1;
  }

  /** The chats of an agent, latest message first; undefined where the index has not reached the sequence. */
  async chatsOf(
    agentId: AgentId,
    { after, limit }: { readonly after: IndexPosition | undefined; readonly limit: number },
    sequence: number,
  ): Promise<readonly IndexPosition[] | undefined> {
    const answer = await this.#redis.eval(
      listScript,
      0,
      this.#prefix,
      sequence,
      `agent:${agentId}`,
      '-inf',
      after?.score ?? '+inf',
      after?.taskId ?? '',
      limit,
    );
    if (!isList(answer)) return undefined;
    return pairs(answer.slice(1)).map(([taskId, score]) => ({ taskId, score }));
  }

  /** Messages by revision; undefined where the index has not reached the sequence. */
  async page(query: MessagePageQuery, sequence: number): Promise<MessagePlace[] | undefined> {
    const { chatId, viewerId, threadId, order, lowest, highest, limit } = query;
    const set = threadId ? `thread:${threadId}` : `chat:${chatId}`;
    const hidden = hiddenSet(chatId, viewerId);
    const args = [this.#prefix, sequence, set, order, lowest, highest, limit, hidden];
    const answer = await this.#redis.eval(pageScript, 0, ...args);
    if (!isList(answer)) return undefined;
    return pairs(answer).map(([place, revision]) => ({
      sequence: Number(place),
      revision: Number(revision),
    }));
  }

  /** `null` where there is no such message; undefined where the index has not reached the sequence. */
  async findMessage(messageId: ChatMessageId, sequence: number) {
    const args = [this.#prefix, sequence, messageId];
    const answer = await this.#redis.eval(findMessageScript, 0, ...args);
    if (typeof answer !== 'string') return undefined;
    const [chatId, place] = answer.split(' ');
    return place ? { chatId: chatIdSchema.parse(chatId), sequence: Number(place) } : null;
  }

  /** How far an agent had read, and when, from a revision on: so many marks at most, oldest first. */
  async readMarks(
    chatId: ChatId,
    agentId: AgentId,
    { from, limit }: { readonly from: number; readonly limit: number },
  ): Promise<readonly { readonly through: number; readonly at: number }[]> {
    const key = `${this.#prefix}reads:${chatId}:${agentId}`;
    const marks = await this.#redis.zrangebyscore(key, from, '+inf', 'LIMIT', 0, limit);
    return marks.map((mark) => {
      const [through, at] = mark.split(' ');
      return { through: Number(through), at: Number(at) };
    });
  }

  get #prefix(): string {
    return `relay:chats:${this.#stream()}:`;
  }
}

function hiddenSet(chatId: ChatId, agentId: AgentId): string {
  return `hidden:${chatId}:${agentId}`;
}

function isList(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer);
}

function pairs(flat: readonly unknown[]): [string, string][] {
  return flat.flatMap((value, at): [string, string][] =>
    at % 2 === 0 ? [[String(value), String(flat[at + 1])]] : [],
  );
}
