import type { Bus, RecordedChat } from '@relay/bus';
import { activeMember, type ChatMember, type ChatSnapshot } from '@relay/domain';
import {
  type AgentId,
  type ChatMessageId,
  chatIdSchema,
  chatMessageIdSchema,
  RelayError,
} from '@relay/protocol';
import type { ChatIndex, MessagePageQuery } from '@relay/store';
import { decodePageToken, encodePageToken, indexPositionSchema } from '../lists/page-token.ts';
import { ProjectionWait } from '../lists/projection-wait.ts';
import { decodeMessageCursor, encodeMessageCursor } from './message-cursor.ts';
import { type ReadMarks, readMarksOf } from './read-marks.ts';

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface MessagesQuery extends PageQuery {
  readonly order: 'asc' | 'desc';
  /** Of one thread alone: the message that began it. */
  readonly threadId?: ChatMessageId | undefined;
}

export interface MessagePage {
  readonly recorded: readonly RecordedChat[];
  readonly reads: ReadMarks;
  /** `null` at the end. */
  readonly nextCursor: string | null;
}

/** Pages that are never stale: each waits until the index has reached the record as it was asked. */
export class ChatPages {
  readonly #bus: Bus;
  readonly #index: ChatIndex;
  readonly #projection: ProjectionWait;

  constructor(bus: Bus, index: ChatIndex) {
    this.#bus = bus;
    this.#index = index;
    this.#projection = new ProjectionWait(bus);
  }

  close(): void {
    this.#projection.close();
  }

  /** The chats of an agent, the one with the latest message first. */
  async chatsOf(agentId: AgentId, { limit, cursor }: PageQuery) {
    const filter = { agentId };
    const after =
      cursor === undefined ? undefined : decodePageToken(filter, cursor, indexPositionSchema);
    const places = await this.#reached((sequence) =>
      this.#index.chatsOf(agentId, { after, limit: limit + 1 }, sequence),
    );
    const page = places.slice(0, limit);
    const read = await Promise.all(
      page.map(({ taskId }) => this.#bus.chats.read(chatIdSchema.parse(taskId))),
    );
    const last = page.at(-1);
    return {
      chats: read.flatMap((recorded) =>
        recorded && activeMember(recorded.snapshot, agentId) ? [recorded.snapshot] : [],
      ),
      nextCursor: places.length > limit && last ? encodePageToken(filter, last) : null,
    };
  }

  /** Messages of a chat as a member of it sees them, both ways. */
  async messages(
    chat: ChatSnapshot,
    viewerId: AgentId,
    { limit, cursor, order, threadId }: MessagesQuery,
  ): Promise<MessagePage> {
    const { chatId } = chat;
    const place = { chatId, threadId: threadId ?? null, order };
    const after = cursor === undefined ? undefined : decodeMessageCursor(place, cursor);
    const query = { chatId, viewerId, threadId, order, ...rangeOf(chat, viewerId, order, after) };
    const places = await this.#reached((sequence) =>
      this.#index.page({ limit: limit + 1, ...query }, sequence),
    );
    const page = places.slice(0, limit);
    const read = await Promise.all(
      page.map(({ sequence }) => this.#bus.chats.readAt(chatId, sequence)),
    );
    const recorded = read.flatMap((each) => (each ? [each] : []));
    const last = page.at(-1);
    return {
      recorded,
      reads: await this.readsFor(chat, recorded),
      nextCursor: places.length > limit && last ? encodeMessageCursor(place, last.revision) : null,
    };
  }

  /**
   * A message of a chat that the agent is a member of.
   * @throws RelayError notFound
   */
  async message(agentId: AgentId, id: string) {
    const parsed = chatMessageIdSchema.safeParse(id);
    const place =
      parsed.success &&
      (await this.#reached((sequence) => this.#index.findMessage(parsed.data, sequence)));
    if (!place) throw new RelayError('notFound');
    const [recorded, last] = await Promise.all([
      this.#bus.chats.readAt(place.chatId, place.sequence),
      this.#bus.chats.read(place.chatId),
    ]);
    const chat = last?.snapshot;
    const member = chat && activeMember(chat, agentId);
    const isSeen = recorded && member && isSeenBy(member, recorded);
    if (!isSeen) throw new RelayError('notFound');
    return { chat, recorded };
  }

  /** When each member has read these messages. */
  async readsFor(chat: ChatSnapshot, recorded: readonly RecordedChat[]): Promise<ReadMarks> {
    const revisions = recorded.map(({ change }) => change.revision);
    const range = { from: Math.min(...revisions), limit: revisions.length + 1 };
    if (revisions.length === 0) return new Map();
    return readMarksOf(
      chat.members.map(({ contact }) => contact.id),
      (agentId) => this.#index.readMarks(chat.chatId, agentId, range),
    );
  }

  /** @throws RelayError unavailable while Redis is away or behind */
  #reached<Result>(attempt: (sequence: number) => Promise<Result | undefined>): Promise<Result> {
    return this.#projection.reached(this.#bus.chats.stream, attempt);
  }
}

function isSeenBy({ contact, visibleFrom }: ChatMember, { change }: RecordedChat): boolean {
  const keptFrom = change.type === 'message-sent' ? change.message.keptFrom : undefined;
  return change.revision >= visibleFrom && !keptFrom?.includes(contact.id);
}

function rangeOf(
  chat: ChatSnapshot,
  viewerId: AgentId,
  order: MessagesQuery['order'],
  after: number | undefined,
): Pick<MessagePageQuery, 'lowest' | 'highest'> {
  const first = activeMember(chat, viewerId)?.visibleFrom ?? chat.revision + 1;
  const isAscending = order === 'asc';
  return {
    lowest: isAscending && after !== undefined ? Math.max(first, after + 1) : first,
    highest: !isAscending && after !== undefined ? after - 1 : Number.MAX_SAFE_INTEGER,
  };
}
