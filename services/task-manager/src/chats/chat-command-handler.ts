import { type ChatRecord, encodeChat, type RecordedChat } from '@relay/bus';
import {
  type ChatChange,
  type ChatCommand,
  type ChatCommandReply,
  checkChatSize,
  decideChat,
  evolveChat,
  mayHaveForgotten,
} from '@relay/domain';
import { type ChatId, RelayError } from '@relay/protocol';
import { type Logger, observeCommand, recordExecutedCommand } from '@relay/runtime';
import { LRUCache } from 'lru-cache';
import { jitter } from '../jitter.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { withReadByAll } from './read-by-all.ts';

const maximumAttempts = 5;
const rememberedChats = 2_000;

export interface ChatCommandHandlerOptions {
  readonly chats: ChatRecord;
  /** Of what one task may hold; a message may be about as large. */
  readonly limitBytes: number;
  readonly logger: Logger;
}

type Known = Pick<RecordedChat, 'snapshot' | 'sequence'>;

const unavailable: ChatCommandReply = {
  type: 'refused',
  refusal: { error: 'unavailable', retryAfterSeconds: 1 },
};

/**
 * The only writer of chats, as the command handler is of tasks: reads a chat, decides, appends with the
 * sequence it read. Commands on one chat take turns here; compare-and-set is the safety net.
 */
export class ChatCommandHandler {
  readonly #options: ChatCommandHandlerOptions;
  readonly #queue = new KeyedQueue();
  readonly #cache = new LRUCache<ChatId, Known>({ max: rememberedChats });

  constructor(options: ChatCommandHandlerOptions) {
    this.#options = options;
  }

  async execute(command: ChatCommand, deadline: number): Promise<ChatCommandReply> {
    const since = performance.now();
    const reply = await this.#queue
      .run(command.chatId, () => this.#execute(command, deadline))
      .catch(replyOfError);
    this.#log(command, reply, performance.now() - since);
    return reply;
  }

  /** Resolves when the commands in flight have ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #execute(command: ChatCommand, deadline: number): Promise<ChatCommandReply> {
    let known = this.#cache.get(command.chatId);
    let isFresh = false;
    for (let attempt = 0; attempt < maximumAttempts; ) {
      const decision = decideChat(known?.snapshot, command);
      if (decision.type === 'change') {
        const change = await this.#complete(decision.change, known);
        const outcome = await this.#append(command, known, change, deadline);
        if (typeof outcome !== 'string') return outcome;
        attempt += 1;
        if (outcome !== 'unknown') await jitter(attempt);
      } else if (isFresh) {
        return decision.type === 'refusal'
          ? { type: 'refused', refusal: decision.refusal }
          : done(known, undefined);
      }
      // What does not append must not rest on what this process remembers: others write too.
      known = await this.#read(command.chatId);
      isFresh = true;
    }
    return unavailable;
  }

  /** A message sent long ago that comes again may be past what the chat's state remembers. */
  async #wasTaken(command: ChatCommand, { snapshot }: Known, deadline: number): Promise<boolean> {
    if (command.type !== 'send' || !mayHaveForgotten(snapshot, command.firstSentAt)) return false;
    const { chatId, firstSentAt, message } = command;
    for await (const { change } of this.#options.chats.backwards(chatId)) {
      if (change.type === 'message-sent' && change.message.id === message.id) return true;
      if (change.at < firstSentAt) return false;
      // Nobody waits any more, and others wait for this chat.
      if (Date.now() >= deadline) return false;
    }
    return false;
  }

  /** A mark also tells which messages all have read by it. */
  async #complete(change: ChatChange, known: Known | undefined): Promise<ChatChange> {
    if (change.type !== 'read' || !known) return change;
    return withReadByAll(change, known.snapshot, this.#options.chats);
  }

  async #append(
    command: ChatCommand,
    known: Known | undefined,
    change: ChatChange,
    deadline: number,
  ): Promise<ChatCommandReply | 'conflict' | 'contended' | 'unknown'> {
    if (known && (await this.#wasTaken(command, known, deadline))) return done(known, undefined);
    const snapshot = evolveChat(known?.snapshot, change);
    const payload = encodeChat({ change, snapshot });
    const refusal = checkChatSize(change, payload.length, this.#options.limitBytes);
    if (refusal) return { type: 'refused', refusal };
    if (Date.now() >= deadline) return unavailable;
    const { chats } = this.#options;
    const outcome = await chats.append({ change, snapshot }, payload, known?.sequence ?? 0);
    if (outcome.type === 'appended') {
      const stored = { snapshot, sequence: outcome.sequence };
      this.#cache.set(snapshot.chatId, stored);
      return done(stored, change);
    }
    // As for tasks: the next decision reads the record, and finds there what was stored after all.
    this.#cache.delete(snapshot.chatId);
    return outcome.type === 'unavailable' ? unavailable : outcome.type;
  }

  async #read(chatId: ChatId): Promise<Known | undefined> {
    const recorded = await this.#options.chats.read(chatId);
    if (recorded) this.#cache.set(chatId, recorded);
    return recorded;
  }

  #log(command: ChatCommand, reply: ChatCommandReply, milliseconds: number): void {
    const { type, chatId, changeId, traceId } = command;
    const outcome = reply.type === 'done' ? 'done' : reply.refusal.error;
    const refusal = reply.type === 'refused' ? reply.refusal.error : undefined;
    observeCommand(type, { refusal }, milliseconds);
    recordExecutedCommand(command, { milliseconds, refusal });
    const level = outcome === 'unavailable' || outcome === 'internal' ? 'warn' : 'debug';
    this.#options.logger[level](
      { command: type, chatId, changeId, traceId, outcome, ms: Math.round(milliseconds) },
      'chat_command.handled',
    );
  }
}

function done(known: Known | undefined, change: ChatChange | undefined): ChatCommandReply {
  if (!known) throw new Error('Only a chat that is there can have been changed before');
  return { type: 'done', snapshot: known.snapshot, change };
}

function replyOfError(error: unknown): ChatCommandReply {
  if (!(error instanceof RelayError)) throw error;
  return { type: 'refused', refusal: error.refusal };
}
