import { randomUUID } from 'node:crypto';
import {
  checkMayMessage,
  checkMessageParts,
  deriveNamedTaskId,
  deriveTaskId,
  type OwnedAgent,
  type TaskCommand,
  type TaskCommandPort,
  type TaskCommandReply,
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
  timestampAt,
} from '@relay/protocol';
import { readTaskId, type TaskPair } from './task-reads.ts';

/** Milliseconds after which a command must not be executed any more. */
const commandLifetime = 10_000;

/** A command that was done. */
export type CommandReply = Extract<TaskCommandReply, { type: 'done' }>;

export interface MessageToAgent {
  readonly sender: OwnedAgent;
  readonly callee: AgentRecord;
  readonly message: MessageInput;
  readonly metadata: Metadata | undefined;
  /** The id of the task that it opens, where that is not derived from the messageId. */
  readonly newTaskId?: TaskId | undefined;
  readonly traceId: TraceId;
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
   * @throws RelayError where the sender may not send this
   */
  forMessage({
    sender,
    callee,
    message,
    metadata,
    newTaskId,
    traceId,
  }: MessageToAgent): TaskCommand {
    const refusal = checkMayMessage(sender.agent.id, callee.id) ?? checkMessageParts(message.parts);
    if (refusal) throw new RelayError(refusal);
    const identified = withMessageId(message);
    if (message.taskId !== undefined) {
      return {
        ...commandFields(readTaskId(message.taskId), traceId),
        type: 'follow-up',
        requesterId: sender.agent.id,
        calleeId: callee.id,
        message: identified,
      };
    }
    const taskId =
      newTaskId ?? deriveTaskId(this.#secret, sender.agent.id, callee.id, identified.messageId);
    return {
      ...commandFields(taskId, traceId),
      type: 'submit',
      requester: toContactCard(sender),
      calleeId: callee.id,
      calleeAcceptsTasks: callee.accepts_tasks,
      contextId: message.contextId ?? randomUUID(),
      message: identified,
      metadata,
    };
  }

  /** The id of the task that a requester calls by a name of its own. */
  idOfNamedTask({ requesterId, calleeId }: TaskPair, name: string): TaskId {
    return deriveNamedTaskId(this.#secret, requesterId, calleeId, name);
  }

  /** @throws RelayError where the command is refused */
  async execute(command: TaskCommand): Promise<CommandReply> {
    const reply = await this.#port.execute(command, Date.now() + commandLifetime);
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
