import {
  type AppendOutcome,
  type Bus,
  type InboxEvent,
  inboxLimits,
  noMarks,
  readMarks,
  type SourceMarks,
} from '@relay/bus';
import { type AgentId, RelayError } from '@relay/protocol';
import { Histogram, type Logger } from '@relay/runtime';
import type { SharedPause } from '../pause.ts';
import { type AgentEvents, isCovered, markAppended, marksOfStreams } from './source-marks.ts';

const feedLag = new Histogram({
  name: 'relay_feed_lag_seconds',
  help: "From a change to its event in the recipient's feed.",
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 300],
});

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
  #appending: readonly AgentEvents[] = [];

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

  /** When the oldest change happened whose events are not in the inbox; Infinity where there is none. */
  get waitingSince(): number {
    const pending = [...this.#appending, ...this.#waiting].flatMap(({ events }) => events);
    return pending.reduce((oldest, { at }) => Math.min(oldest, at), Number.POSITIVE_INFINITY);
  }

  /** @returns true when the events are in the inbox, false when the lease was lost before */
  add(entry: AgentEvents): Promise<boolean> {
    return new Promise((settle) => {
      this.#waiting.push({ settle, ...entry });
    });
  }

  /** Appends until nothing waits. It outlasts every absence of NATS; a lost lease ends the waiting. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (await this.#step()) continue;
      this.#dropLost();
      await this.#context.pause.wait();
    }
    this.#onIdle(this.#end);
  }

  /** @returns false when NATS cannot do anything now */
  async #step(): Promise<boolean> {
    this.#end ??= await this.#readEnd();
    if (!this.#end) return false;
    const { lastSequence } = this.#end;
    const batch = this.#takeBatch(this.#end.marks);
    if (batch.length === 0) return true;
    const marks = markAppended(this.#end.marks, batch);
    this.#appending = batch;
    const outcome = await this.#append(batch, marks, lastSequence);
    this.#appending = [];
    if (outcome.type === 'appended') {
      this.#end = { lastSequence: outcome.sequence, marks };
      for (const { events, settle } of batch) {
        observeLag(events);
        settle(true);
      }
      return true;
    }
    this.#end = undefined;
    this.#waiting.unshift(...batch);
    return outcome.type !== 'unavailable';
  }

  async #append(
    batch: readonly AgentEvents[],
    marks: SourceMarks,
    lastSequence: number,
  ): Promise<AppendOutcome> {
    const { bus, logger } = this.#context;
    const events = batch.flatMap(({ events }) => events);
    try {
      return await bus.inbox.append(this.#agentId, events, marks, lastSequence);
    } catch (error) {
      logger.error({ agentId: this.#agentId, err: error }, 'fan_out.append_failed');
      return { type: 'unavailable', reason: 'the append failed' };
    }
  }

  /**
   * Takes what goes into one message: within the limits, but at least what one change brings. Whoever
   * calls must append in the same tick, since it is checked here that the leases are held.
   */
  #takeBatch(marks: SourceMarks): Waiting[] {
    const batch: Waiting[] = [];
    let events = 0;
    let bytes = 0;
    let taken = 0;
    for (const entry of this.#waiting) {
      events += entry.events.length;
      bytes += entry.events.reduce((sum, event) => sum + event.bytes.length, 0);
      const isFull = events > inboxLimits.events || bytes > inboxLimits.bytes;
      if (isFull && batch.length > 0) break;
      taken += 1;
      if (isCovered(marks, entry)) entry.settle(true);
      else if (!entry.lease.isHeld()) entry.settle(false);
      else batch.push(entry);
    }
    this.#waiting.splice(0, taken);
    return batch;
  }

  #dropLost(): void {
    this.#waiting = this.#waiting.filter(({ lease, settle }) => {
      const isHeld = lease.isHeld();
      if (!isHeld) settle(false);
      return isHeld;
    });
  }

  /** Undefined where it cannot be read now. */
  async #readEnd(): Promise<InboxEnd | undefined> {
    const { bus, logger } = this.#context;
    const { inbox } = bus;
    try {
      const last = await inbox.readLast(this.#agentId);
      if (!last) return { lastSequence: 0, marks: noMarks(bus) };
      return { lastSequence: last.sequence, marks: marksOfStreams(readMarks(last), bus) };
    } catch (error) {
      if (!(error instanceof RelayError)) {
        logger.error({ agentId: this.#agentId, err: error }, 'fan_out.inbox_unreadable');
      }
      return undefined;
    }
  }
}

function observeLag(events: readonly InboxEvent[]): void {
  const now = Date.now();
  // Another host's clock may be ahead.
  for (const { at } of events) feedLag.observe(Math.max(0, now - at) / 1_000);
}
