import type { ChatRecord } from '@relay/bus';
import {
  type ChatChange,
  type ChatCommand,
  type ChatCommandPort,
  type ChatCommandReply,
  type ChatSnapshot,
  type ExchangeSnapshot,
  findSettled,
  outcomeOf,
  sendToChat,
  settledBy,
  type TaskCommand,
  type TaskCommandPort,
  type TaskCommandReply,
} from '@relay/domain';
import type { TaskId } from '@relay/protocol';
import type { ChatCommandHandler } from '../chats/chat-command-handler.ts';
import type { CommandHandler, StateReply } from '../command-handler.ts';

/** Milliseconds; what a chat has decided is published also when its command's time is over. */
const publishingTime = 10_000;

export interface ExchangeDeskOptions {
  readonly tasks: CommandHandler;
  readonly chats: ChatCommandHandler;
  readonly record: ChatRecord;
}

type AskChat = Extract<StateReply, { type: 'ask-chat' }>;

const unavailable: TaskCommandReply = {
  type: 'refused',
  refusal: { error: 'unavailable', retryAfterSeconds: 1 },
};

/**
 * Where tasks and chats meet: a message to an agent that takes no tasks is offered in TASKS, stands in
 * the chat, is settled there by one compare-and-set, and its outcome is published in TASKS. A crash between
 * two of these steps is made up for by the sender's retry, the next call, or the repair.
 */
export class ExchangeDesk {
  readonly #options: ExchangeDeskOptions;
  readonly tasks: TaskCommandPort = {
    execute: (command, deadline) => this.#executeTask(command, deadline),
  };
  readonly chats: ChatCommandPort = {
    execute: (command, deadline) => this.#executeChat(command, deadline),
  };

  constructor(options: ExchangeDeskOptions) {
    this.#options = options;
  }

  /** Publishes what the change has decided about an exchange, if it has. */
  async publish(change: ChatChange, chat: Pick<ChatSnapshot, 'chatId'>): Promise<StateReply> {
    const outcome = outcomeOf(change, chat);
    if (!outcome) return unavailable;
    return this.#options.tasks.execute(outcome, Date.now() + publishingTime);
  }

  async #executeTask(command: TaskCommand, deadline: number): Promise<TaskCommandReply> {
    const reply = await this.#options.tasks.execute(command, deadline);
    if (reply.type === 'ask-chat') return this.#open(command, reply, deadline);
    if (reply.type === 'exchange') return this.#deliver(command, reply.exchange, deadline);
    return reply;
  }

  /** Puts the message into the chat, unless a reply shows that it was there. */
  async #deliver(
    { changeId, traceId, at }: TaskCommand,
    exchange: ExchangeSnapshot,
    deadline: number,
  ): Promise<TaskCommandReply> {
    if (exchange.state === 'answered') return { type: 'exchange', exchange };
    const command = sendToChat(exchange, { changeId, traceId, at });
    const sent = await this.#options.chats.execute(command, deadline);
    return sent.type === 'refused' ? sent : { type: 'exchange', exchange };
  }

  async #open(
    command: TaskCommand,
    { exchange, opening }: AskChat,
    deadline: number,
  ): Promise<TaskCommandReply> {
    const { changeId, traceId, at } = command;
    const { chatId, taskId } = exchange;
    const calleeId = exchange.callee.id;
    const asked = await this.#options.chats.execute(
      { changeId, traceId, at, chatId, type: 'upgrade', calleeId, taskId, opening },
      deadline,
    );
    if (asked.type === 'refused') {
      if (asked.refusal.error === 'answeredInChat') await this.#publishSettled(exchange);
      return asked;
    }
    const isPublished = asked.change
      ? (await this.publish(asked.change, exchange)).type === 'done'
      : await this.#publishSettled(exchange);
    if (!isPublished) return unavailable;
    // Now it finds itself done, or another call's task to change.
    const reply = await this.#options.tasks.execute(command, deadline);
    return reply.type === 'ask-chat' ? unavailable : reply;
  }

  async #executeChat(command: ChatCommand, deadline: number): Promise<ChatCommandReply> {
    const reply = await this.#options.chats.execute(command, deadline);
    if (reply.type === 'refused') return reply;
    const { snapshot, change } = reply;
    const revision = settledBy(snapshot, command);
    // Where it cannot be published now, it is by the repair: the reply itself is in the chat.
    if (revision !== undefined && change) await this.publish(change, snapshot);
    else if (revision !== undefined) await this.#publishAt(snapshot, revision);
    return reply;
  }

  /** Publishes an outcome that the chat reached before, and that was not published. */
  async #publishSettled(exchange: { chatId: ChatSnapshot['chatId']; taskId: TaskId }) {
    const recorded = await this.#options.record.read(exchange.chatId);
    const settled = recorded && findSettled(recorded.snapshot, exchange.taskId);
    return settled ? this.#publishAt(recorded.snapshot, settled.revision) : false;
  }

  async #publishAt({ chatId }: ChatSnapshot, revision: number): Promise<boolean> {
    for await (const { change } of this.#options.record.backwards(chatId)) {
      if (change.revision > revision) continue;
      const reply = await this.publish(change, { chatId });
      return reply.type === 'done' || reply.type === 'exchange';
    }
    return false;
  }
}
