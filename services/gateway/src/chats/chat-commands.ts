import { randomUUID } from 'node:crypto';
import type { Bus, ChatRecord, Registry } from '@relay/bus';
import {
  activeMember,
  activeMembers,
  type ChatCommand,
  type ChatCommandPort,
  type ChatContact,
  type ChatSnapshot,
  deriveChatId,
  type OwnedAgent,
  toChatContact,
  toContactCard,
} from '@relay/domain';
import {
  type AgentId,
  type AgentRecord,
  type ChatId,
  changeIdSchema,
  chatIdSchema,
  RelayError,
  type TraceId,
  timestampAt,
} from '@relay/protocol';
import { recordSentCommand } from '@relay/runtime';

const commandLifetime = 10_000;
/** Chats that began with the same agents: more would be one after each change of members. */
const maximumOrdinal = 64;

export interface ChatContext {
  readonly registry: Registry;
  readonly bus: Bus;
  readonly port: ChatCommandPort;
  readonly secret: Uint8Array;
}

/** Finds chats, and has what agents ask of them executed. */
export class Chats {
  readonly record: ChatRecord;
  readonly #registry: Registry;
  readonly #port: ChatCommandPort;
  readonly #secret: Uint8Array;

  constructor({ registry, bus, port, secret }: ChatContext) {
    this.record = bus.chats;
    this.#registry = registry;
    this.#port = port;
    this.#secret = secret;
  }

  /**
   * A chat that the agent is a member of. Any other answers like one that does not exist.
   * @throws RelayError notFound
   */
  async readFor(agentId: AgentId, id: string): Promise<ChatSnapshot> {
    const parsed = chatIdSchema.safeParse(id);
    const recorded = parsed.success ? await this.record.read(parsed.data) : undefined;
    if (!recorded || !activeMember(recorded.snapshot, agentId)) throw new RelayError('notFound');
    return recorded.snapshot;
  }

  /** Whether there is a chat that the agent is a member of. */
  async isThere(agentId: AgentId, chatId: ChatId): Promise<boolean> {
    const recorded = await this.record.read(chatId);
    return recorded !== undefined && activeMember(recorded.snapshot, agentId) !== undefined;
  }

  /** The chat of exactly these agents: the one that is there, or the id of the one to begin. */
  async findChat(memberIds: readonly AgentId[]): Promise<ChatId> {
    if (memberIds.length === 2) return deriveChatId(this.#secret, memberIds);
    for (let ordinal = 0; ordinal < maximumOrdinal; ordinal += 1) {
      const chatId = deriveChatId(this.#secret, memberIds, ordinal);
      const recorded = await this.record.read(chatId);
      if (!recorded || hasMembers(recorded.snapshot, memberIds)) return chatId;
    }
    throw new RelayError({ error: 'conflict', message: 'These agents have too many chats.' });
  }

  async contactOf(agent: AgentRecord): Promise<ChatContact> {
    return contactOf({ agent, owner: await this.#registry.ownerOf(agent) });
  }

  /** @throws RelayError where the command is refused */
  async execute(command: ChatCommand): Promise<ChatSnapshot> {
    const since = performance.now();
    const reply = await this.#port.execute(command, Date.now() + commandLifetime);
    const refusal = reply.type === 'refused' ? reply.refusal.error : undefined;
    recordSentCommand(command, { milliseconds: performance.now() - since, refusal });
    if (reply.type === 'refused') throw new RelayError(reply.refusal);
    return reply.snapshot;
  }
}

export function contactOf(agent: OwnedAgent): ChatContact {
  return toChatContact(toContactCard(agent));
}

function hasMembers(chat: ChatSnapshot, memberIds: readonly AgentId[]): boolean {
  const active = new Set(activeMembers(chat).map(({ contact }) => contact.id));
  return active.size === memberIds.length && memberIds.every((id) => active.has(id));
}

/** What every command holds: its id is minted here, once. */
export function chatCommandFields(chatId: ChatId, traceId: TraceId) {
  return {
    chatId,
    changeId: changeIdSchema.parse(randomUUID()),
    traceId,
    at: timestampAt(Date.now()),
  };
}
