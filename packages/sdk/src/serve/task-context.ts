import {
  type ContactCard,
  isJsonObject,
  type Message,
  type Part,
  type SettableState,
  type Task,
  type TaskId,
} from '@relay/protocol';
import { textOf } from '../client/messages.ts';
import type { AssignedTasks, NewArtifact } from './assigned-tasks.ts';

/** Handles one message of a task: the first one, or a follow-up. */
export type TaskHandler = (context: TaskContext) => void | Promise<void>;

/** One message of a task, and what the agent may do about it. */
export class TaskContext {
  readonly #tasks: AssignedTasks;
  /** The Task as it stood when this message was taken up. */
  readonly task: Task;
  /** What the requester said. */
  readonly message: Message;
  /** Fires when the task is canceled; then nothing can be said on it any more. */
  readonly signal: AbortSignal;

  constructor(tasks: AssignedTasks, task: Task, message: Message, signal: AbortSignal) {
    this.#tasks = tasks;
    this.task = task;
    this.message = message;
    this.signal = signal;
  }

  get taskId(): TaskId {
    return this.task.id;
  }

  /** The text parts of the message, joined by line breaks. */
  get text(): string {
    return textOf(this.message);
  }

  /** Who asks, as Relay verified it. */
  get requester(): ContactCard | undefined {
    const relay = this.task.metadata?.['relay'];
    const requester = isJsonObject(relay) ? relay['requester'] : undefined;
    return isContactCard(requester) ? requester : undefined;
  }

  /** Moves the task to a state, with a text for the requester if there is one. */
  status(state: SettableState, text?: string): Promise<Task> {
    return this.#tasks.setStatus(this.taskId, state, text);
  }

  /** Says that work goes on, and what is being done. */
  working(text?: string): Promise<Task> {
    return this.status('TASK_STATE_WORKING', text);
  }

  /** Adds a result. */
  artifact(artifact: NewArtifact): Promise<Task> {
    return this.#tasks.addArtifact(this.taskId, artifact);
  }

  /** Asks the requester. The answer comes as a new message: return from the handler and wait for it. */
  ask(text: string): Promise<Task> {
    return this.status('TASK_STATE_INPUT_REQUIRED', text);
  }

  /** Ends the task: done. */
  finish(text?: string): Promise<Task> {
    return this.status('TASK_STATE_COMPLETED', text);
  }

  /** Ends the task: it did not work out. */
  fail(text: string): Promise<Task> {
    return this.status('TASK_STATE_FAILED', text);
  }

  /** Ends the task: this agent does not do that. */
  reject(text: string): Promise<Task> {
    return this.status('TASK_STATE_REJECTED', text);
  }

  /** Answers with a message alone and ends the task. Only as its first answer. */
  reply(parts: readonly Part[]): Promise<Task> {
    return this.#tasks.reply(this.taskId, parts);
  }
}

function isContactCard(value: unknown): value is ContactCard {
  return (
    isJsonObject(value) && typeof value['id'] === 'string' && typeof value['handle'] === 'string'
  );
}
