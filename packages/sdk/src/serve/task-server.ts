import type { EventData, EventEnvelope, Message, Task } from '@relay/protocol';
import { isFinal } from '../client/task-assembly.ts';
import { RelayRequestError } from '../http/request-error.ts';
import { type EventConsumer, maximumConcurrentTasks } from '../listen/event-consumer.ts';
import { HandledOnce } from '../listen/handled-once.ts';
import { Lanes } from '../listen/lanes.ts';
import type { AssignedTasks } from './assigned-tasks.ts';
import { Cancellations } from './cancellations.ts';
import { TaskContext, type TaskHandler } from './task-context.ts';

/** A message of a task that waits for the handler. */
interface Turn {
  readonly taskId: string;
  readonly message: Message;
  /** The Task for the handler; none when it is over. */
  task(): Promise<Task | undefined>;
}

/** Tries at one message, over about a minute. A message that never works must not stop all that follow. */
const maximumTries = 10;

/** In these the last word may be the requester's. */
const unansweredStates = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;

/** Turns task events into calls of a handler. */
export class TaskServer implements EventConsumer {
  readonly #tasks: AssignedTasks;
  readonly #handler: TaskHandler;
  readonly #report: (error: Error) => void;
  readonly #once = new HandledOnce();
  readonly #lanes = new Lanes(maximumConcurrentTasks);
  readonly #cancellations = new Cancellations();
  readonly #failures = new Map<string, number>();

  constructor(tasks: AssignedTasks, handler: TaskHandler, report: (error: Error) => void) {
    this.#tasks = tasks;
    this.#handler = handler;
    this.#report = report;
  }

  /** Takes the events of tasks that this agent does; others are none of its business. */
  async handle(event: EventEnvelope): Promise<void> {
    if (event.event_type === 'task.created') {
      return this.#queue(this.#firstTurn(event.data.task));
    }
    if (event.event_type === 'task.message') {
      return this.#queue(this.#laterTurn(event.data));
    }
    // Not queued: it must reach a handler that is still at work.
    if (event.event_type === 'task.canceled') this.#cancellations.cancel(event.data.task_id);
  }

  /**
   * After events were lost: takes the messages at the end of each task that waits for this agent. The events
   * of some of them may still come.
   */
  async catchUp(): Promise<void> {
    const turns: Turn[] = [];
    for (const state of unansweredStates) {
      for await (const { id } of this.#tasks.list(state)) {
        const task = () => this.#openTask(id);
        const messages = unansweredMessages(await task());
        turns.push(...messages.map((message) => ({ taskId: id, message, task })));
      }
    }
    await Promise.all(turns.map((turn) => this.#queue(turn)));
  }

  settled(): Promise<void> {
    return this.#once.settled();
  }

  #firstTurn(task: Task): Turn {
    const [message] = task.history ?? [];
    if (message === undefined) throw new Error(`Task ${task.id} came without a message.`);
    return { taskId: task.id, message, task: async () => task };
  }

  #laterTurn({ task_id: taskId, message }: EventData['task.message']): Turn {
    return { taskId, message, task: () => this.#openTask(taskId) };
  }

  #queue(turn: Turn): Promise<void> {
    const { taskId } = turn;
    return this.#once.run(keyOf(turn), () =>
      this.#cancellations.during(taskId, (signal) =>
        this.#lanes.run(taskId, () => this.#take(turn, signal)),
      ),
    );
  }

  async #take(turn: Turn, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const task = await turn.task();
    if (task === undefined) return;
    const context = new TaskContext(this.#tasks, task, turn.message, signal);
    try {
      await this.#handler(context);
      this.#failures.delete(keyOf(turn));
    } catch (error) {
      await this.#afterFailure(turn, context, error);
    }
  }

  /** A failure makes the event come again, unless nothing can be done about the task any more. */
  async #afterFailure(turn: Turn, context: TaskContext, error: unknown): Promise<void> {
    const { taskId } = turn;
    const key = keyOf(turn);
    if (context.signal.aborted) return;
    if (await this.#isOver(taskId)) {
      this.#report(
        new Error(`The handler of task ${taskId} failed after its end.`, { cause: error }),
      );
      return;
    }
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    if (failures < maximumTries) throw error;
    await context.fail('The agent could not handle this message.');
    this.#failures.delete(key);
    this.#report(new Error(`Task ${taskId} was failed after ${failures} tries.`, { cause: error }));
  }

  async #isOver(taskId: string): Promise<boolean> {
    try {
      return (await this.#openTask(taskId)) === undefined;
    } catch {
      return false;
    }
  }

  /** The Task as it stands; none when it is final or gone. */
  async #openTask(taskId: string): Promise<Task | undefined> {
    try {
      const task = await this.#tasks.get(taskId);
      return isFinal(task.status.state) ? undefined : task;
    } catch (error) {
      if (error instanceof RelayRequestError && error.status === 404) return undefined;
      throw error;
    }
  }
}

/** A message is one of its task, whatever tells of it. */
function keyOf({ taskId, message }: Turn): string {
  return `${taskId} ${message.messageId}`;
}

/** What the requester said after the agent's last word. */
function unansweredMessages(task: Task | undefined): readonly Message[] {
  const history = task?.history ?? [];
  return history.slice(history.findLastIndex(({ role }) => role !== 'ROLE_USER') + 1);
}
