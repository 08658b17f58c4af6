import type { ReceivedEvent } from './received-event.ts';

/** An event that is due since the change it tells of was acknowledged. */
export interface DueEvent {
  /** The way in which it is due: one of possibly several of its agent. */
  readonly mailbox: string;
  /** Of the task, or of the chat. */
  readonly taskId: string;
  readonly type: string;
  readonly mark: string;
  /** Milliseconds by the monotonic clock. */
  readonly acknowledgedAt: number;
}

export interface LedgerTask {
  readonly requesterId: string;
  readonly calleeId: string;
}

/** A message in a chat that was acknowledged. */
export interface LedgerMessage {
  readonly chatId: string;
  readonly id: string;
  readonly senderId: string;
  /** No other one has it. */
  readonly text: string;
}

/** What the relay acknowledged, and what came first of each event, written down as it happens. */
export class Ledger {
  readonly tasks = new Map<string, LedgerTask>();
  /** The last state of each task that was acknowledged. */
  readonly states = new Map<string, string>();
  readonly due: DueEvent[] = [];
  /** In the order in which they were acknowledged; those of one sender in one chat were sent in it, too. */
  readonly messages: LedgerMessage[] = [];
  /** When an event first came to a mailbox and was taken there. */
  readonly #arrivals = new Map<string, number>();
  /** Keys of what is due and has not come, by task or chat. */
  readonly #missing = new Map<string, Set<string>>();
  /** Moments at which anything was acknowledged. */
  readonly acknowledgedAt: number[] = [];

  noteTask(taskId: string, task: LedgerTask): void {
    this.tasks.set(taskId, task);
    this.acknowledgedAt.push(performance.now());
  }

  noteState(taskId: string, state: string): void {
    this.states.set(taskId, state);
    this.acknowledgedAt.push(performance.now());
  }

  /** A call that was acknowledged, of whatever kind. */
  noteAcknowledged(): void {
    this.acknowledgedAt.push(performance.now());
  }

  noteDue(mailboxes: readonly string[], event: Pick<DueEvent, 'taskId' | 'type' | 'mark'>): void {
    const acknowledgedAt = performance.now();
    for (const mailbox of mailboxes) {
      this.due.push({ ...event, mailbox, acknowledgedAt });
      const key = keyOf(mailbox, event);
      if (this.#arrivals.has(key)) continue;
      const missing = this.#missing.get(event.taskId) ?? new Set();
      this.#missing.set(event.taskId, missing.add(key));
    }
  }

  noteArrival(mailbox: string, event: ReceivedEvent): void {
    const key = keyOf(mailbox, event);
    if (!this.#arrivals.has(key)) this.#arrivals.set(key, event.at);
    this.#missing.get(event.taskId)?.delete(key);
  }

  /** How many events of a task or chat are due and have not come. */
  missingOf(taskId: string): number {
    return this.#missing.get(taskId)?.size ?? 0;
  }

  arrivalOf(due: DueEvent): number | undefined {
    return this.#arrivals.get(keyOf(due.mailbox, due));
  }
}

function keyOf(
  mailbox: string,
  { taskId, type, mark }: Pick<DueEvent, 'taskId' | 'type' | 'mark'>,
): string {
  return `${mailbox} ${taskId} ${type} ${mark}`;
}
