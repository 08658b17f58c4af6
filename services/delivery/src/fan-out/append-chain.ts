import { type Bus, inboxLimits, noMarks, readMarks, type SourceMarks } from '@relay/bus';
import { type AgentId, RelayError } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { SharedPause } from '../pause.ts';
import { type AgentEvents, isCovered, markAppended, marksOfStream } from './source-marks.ts';

/** The end of an agent's inbox. */
export interface InboxEnd {
  readonly lastSequence: number;
  readonly marks: SourceMarks;
}

export interface AppendContext {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly pause: SharedPause;
}

interface Waiting extends AgentEvents {
  readonly settle: (isAppended: boolean) => void;
}

/**
 * Appends to one agent's inbox, one message at a time, each event exactly once. What waits while an
 * append is in flight goes into the next one.
 */
export class AppendChain {
  readonly #context: AppendContext;
  readonly #agentId: AgentId;
  readonly #onIdle: (end: InboxEnd | undefined) => void;
  /** Undefined: it must be read, since another owner appended or an outcome is unknown. */
  #end: InboxEnd | undefined;
  #waiting: Waiting[] = [];

  /**
   * @param end of the inbox, where it is known
   * @param onIdle called when nothing waits any more; another chain may follow this one then
   */
  constructor(
    context: AppendContext,
    agentId: AgentId,
    end: InboxEnd | undefined,
    onIdle: (end: InboxEnd | undefined) => void,
  ) {
    this.#context = context;
    this.#agentId = agentId;
    this.#end = end;
    this.#onIdle = onIdle;
    // What is added in the same tick goes into the first append.
    queueMicrotask(() => void this.#run());
  }

  /** @returns true when the events are in the inbox, false when the lease was lost before */
  add(entry: AgentEvents): Promise<boolean> {
    return new Promise((settle) => {
      this.#waiting.push({ ...entry, settle });
    });
  }

  /** Appends until nothing waits. It outlasts every absence of NATS; a lost lease ends the waiting. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const isDone = await this.#step().catch((error: unknown) => this.#waitAfter(error));
      this.#settle(({ lease }) => !lease.isHeld(), false);
      if (!isDone) await this.#context.pause.wait();
    }
    this.#onIdle(this.#end);
  }

  /** @returns false when NATS cannot take anything now */
  async #step(): Promise<boolean> {
    const end = this.#end ?? (await this.#readEnd());
    this.#end = end;
    this.#settle((entry) => isCovered(end.marks, entry), true);
    this.#settle(({ lease }) => !lease.isHeld(), false);
    const batch = takeBatch(this.#waiting);
    if (batch.length === 0) return true;
    const marks = markAppended(end.marks, batch);
    const events = batch.flatMap(({ events }) => events);
    const { inbox } = this.#context.bus;
    const outcome = await inbox.append(this.#agentId, events, marks, end.lastSequence);
    this.#end = undefined;
    if (outcome.type !== 'appended') return outcome.type !== 'unavailable';
    this.#end = { lastSequence: outcome.sequence, marks };
    for (const { settle } of this.#waiting.splice(0, batch.length)) settle(true);
    return true;
  }

  #waitAfter(error: unknown): false {
    const level = error instanceof RelayError ? 'debug' : 'error';
    this.#context.logger[level]({ agentId: this.#agentId, err: error }, 'fan_out.append_waits');
    return false;
  }

  async #readEnd(): Promise<InboxEnd> {
    const { inbox, tasksCreated } = this.#context.bus;
    const last = await inbox.readLast(this.#agentId);
    if (!last) return { lastSequence: 0, marks: noMarks(tasksCreated) };
    return { lastSequence: last.sequence, marks: marksOfStream(readMarks(last), tasksCreated) };
  }

  #settle(isOver: (entry: Waiting) => boolean, isAppended: boolean): void {
    this.#waiting = this.#waiting.filter((entry) => {
      const staysWaiting = !isOver(entry);
      if (!staysWaiting) entry.settle(isAppended);
      return staysWaiting;
    });
  }
}

/** What goes into one message: within the limits, but at least what one change brings. */
function takeBatch<Entry extends AgentEvents>(waiting: readonly Entry[]): Entry[] {
  let events = 0;
  let bytes = 0;
  const end = waiting.findIndex((entry, index) => {
    events += entry.events.length;
    bytes += entry.events.reduce((sum, event) => sum + event.bytes.length, 0);
    return index > 0 && (events > inboxLimits.events || bytes > inboxLimits.bytes);
  });
  return end < 0 ? [...waiting] : waiting.slice(0, end);
}
