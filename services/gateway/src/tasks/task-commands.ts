import { randomUUID } from 'node:crypto';
import {
  checkMessageParts,
  deriveChatId,
  deriveNamedTaskId,
  deriveTaskId,
  type ExchangeOffer,
  type OwnedAgent,
  type TaskCommand,
  type TaskCommandPort,
  type TaskCommandReply,
  type TaskPair,
  toChatContact,
  toChatParts,
  toContactCard,
} from '@relay/domain';
import {
  type AgentRecord,
  changeIdSchema,
  type Message,
  type MessageInput,
  type Metadata,
  RelayError,
  type TaskId,
  type TraceId,
  taskIdSchema,
  timestampAt,
} from '@relay/protocol';
import { recordSentCommand } from '@relay/runtime';
import { readTaskId } from './task-reads.ts';

/** Milliseconds after which a command must not be executed any more. */
const commandLifetime = 10_000;

/** A command that was done. */
export type CommandReply = Extract<TaskCommandReply, { type: 'done' }>;

/** A command that takes a message in. */
export type MessageCommand = Extract<TaskCommand, { readonly type: 'submit' | 'follow-up' }>;

/** A message that is on a task, or stands in a chat. */
export type SendReply = Exclude<TaskCommandReply, { type: 'refused' }>;

export interface MessageToAgent {
  readonly sender: OwnedAgent;
  readonly callee: AgentRecord;
  readonly message: MessageInput;
  readonly metadata: Metadata | undefined;
  /** The id of the task that it opens, where that is not derived from the messageId. */
  readonly newTaskId?: TaskId | undefined;
  readonly traceId: TraceId;
}

interface MessageAtAddress extends Omit<MessageToAgent, 'callee'> {
  readonly callee: OwnedAgent;
}

/** Makes the commands that agents ask for, and has them executed. */
export class TaskCommands {
  readonly #port: TaskCommandPort;
  readonly #secret: Uint8Array;

  constructor(port: TaskCommandPort, secret: Uint8Array) {
    this.#port = port;
    this.#secret = secret;
  }

  /**
   * The command that a requester's message asks for: a new task, or more on the one it names. The task's
   * id is known before the command is executed, so that its changes can be heard from the first one on.
   * @throws RelayError where the message holds what a task does not take
   */
  forMessage(message: MessageToAgent): MessageCommand {
    const refusal = checkMessageParts(message.message.parts, message.callee.input_modes);
    if (refusal) throw new RelayError(refusal);
    return this.#commandFor(message, undefined);
  }

  /** As forMessage; to an agent that accepts no tasks the message goes into their chat. */
  forMessageAtAddress({ callee, ...rest }: MessageAtAddress): MessageCommand {
    const toAgent = { callee: callee.agent, ...rest };
    const { sender, message } = rest;
    if (callee.agent.accepts_tasks || message.taskId !== undefined) return this.forMessage(toAgent);
    const parts = toChatParts(message.parts);
    if ('error' in parts) throw new RelayError(parts);
    return this.#commandFor(toAgent, {
      chatId: deriveChatId(this.#secret, [sender.agent.id, callee.agent.id]),
      callee: toChatContact(toContactCard(callee)),
    });
  }

  #commandFor(
    { sender, callee, message, metadata, newTaskId, traceId }: MessageToAgent,
    offer: ExchangeOffer | undefined,
  ): MessageCommand {
    const identified = withMessageId(message);
    if (message.taskId !== undefined) {
      return {
        type: 'follow-up',
        requesterId: sender.agent.id,
        calleeId: callee.id,
        message: identified,
        ...commandFields(readTaskId(message.taskId), traceId),
      };
    }
    const taskId = newTaskId ?? this.#taskOf({ sender, callee, messageId: identified.messageId });
    return {
      type: 'submit',
      requester: toContactCard(sender),
      calleeId: callee.id,
      calleeAcceptsTasks: callee.accepts_tasks,
      contextId: message.contextId ?? randomUUID(),
      message: identified,
      metadata,
      offer,
      ...commandFields(taskId, traceId),
    };
  }

  /** The task that the message names or opens; undefined where it names none that can be, or would open any. */
  taskIdFor({ sender, callee, message, newTaskId }: MessageToAgent): TaskId | undefined {
    const { taskId, messageId } = message;
    if (taskId !== undefined) return taskIdSchema.safeParse(taskId).data;
    if (newTaskId !== undefined || messageId === undefined) return newTaskId;
    return this.#taskOf({ sender, callee, messageId });
  }

  #taskOf({
    sender,
    callee,
    messageId,
  }: Pick<MessageToAgent, 'sender' | 'callee'> & { readonly messageId: string }): TaskId {
    return deriveTaskId(this.#secret, sender.agent.id, callee.id, messageId);
  }

  /** The id of the task that a requester calls by a name of its own. */
  idOfNamedTask({ requesterId, calleeId }: TaskPair, name: string): TaskId {
    return deriveNamedTaskId(this.#secret, requesterId, calleeId, name);
  }

  /** @throws RelayError where the command is refused */
  async execute(command: TaskCommand): Promise<CommandReply> {
    const reply = await this.send(command);
    // The same message was sent before, and stands in the chat.
    if (reply.type === 'exchange') throw new RelayError('tasksNotAccepted');
    return reply;
  }

  /** @throws RelayError where the command is refused */
  async send(command: TaskCommand): Promise<SendReply> {
    const since = performance.now();
    const reply = await this.#port.execute(command, Date.now() + commandLifetime);
    const refusal = reply.type === 'refused' ? reply.refusal.error : undefined;
    recordSentCommand(command, { milliseconds: performance.now() - since, refusal });
    if (reply.type === 'refused') throw new RelayError(reply.refusal);
    return reply;
  }
}

export type CommandFields = Pick<TaskCommand, 'taskId' | 'changeId' | 'traceId' | 'at'>;

/** What every command holds: its id is minted here, once. */
export function commandFields(taskId: TaskId, traceId: TraceId): CommandFields {
  return {
    taskId,
    changeId: changeIdSchema.parse(randomUUID()),
    traceId,
    at: timestampAt(Date.now()),
  };
}

/** A message without an id cannot be recognised when it is sent again. */
export function withMessageId(message: MessageInput): Message {
  return { ...message, messageId: message.messageId ?? randomUUID() };
}
