import { encodeTask, type RecordedState, subjects, type TaskRecord } from '@relay/bus';
import {
  checkSize,
  decideState,
  type ExchangeOutcome,
  type ExchangeSnapshot,
  evolveState,
  isExchange,
  isFinal,
  type RecordedPair,
  type StateChange,
  type StateDecision,
  type TaskCommand,
  type TaskCommandReply,
  type TaskOpening,
  type TaskState,
  taskIdOf,
} from '@relay/domain';
import { type Refusal, RelayError } from '@relay/protocol';
import { type Logger, observeCommand, recordExecutedCommand } from '@relay/runtime';
import { LRUCache } from 'lru-cache';
import { jitter } from './jitter.ts';
import { KeyedQueue } from './keyed-queue.ts';

const maximumAttempts = 5;
/** Of tasks in work; more would cost more in garbage collection than it saves in reads. */
const cacheBytes = 16 * 1024 * 1024;

export interface CommandHandlerOptions {
  readonly tasks: TaskRecord;
  readonly taskLimitBytes: number;
  readonly logger: Logger;
}

type Known = Pick<RecordedState, 'snapshot' | 'sequence' | 'recordedBytes'>;
type Attempt = TaskCommandReply | 'conflict' | 'contended' | 'unknown';

export type StateReply =
  | TaskCommandReply
  /** Its chat says first whether the message may become a task by this. */
  | {
      readonly type: 'ask-chat';
      readonly exchange: ExchangeSnapshot;
      readonly opening: TaskOpening;
    };

/**
 * The only writer of tasks: reads a task, decides, appends with the sequence it read. Commands on one
 * task take turns here; between processes compare-and-set is the safety net.
 */
export class CommandHandler {
  readonly #options: CommandHandlerOptions;
  readonly #queue = new KeyedQueue();
  /** Sizes are those of the messages in the record. */
  readonly #cache = new LRUCache<string, Known>({ maxSize: cacheBytes });

  constructor(options: CommandHandlerOptions) {
    this.#options = options;
  }

  async execute(command: TaskCommand | ExchangeOutcome, deadline: number): Promise<StateReply> {
    const since = performance.now();
    const reply = await this.#queue
      .run(command.taskId, () => this.#execute(command, deadline))
      .catch(replyOfError);
    this.#log(command, reply, performance.now() - since);
    return reply;
  }

  /** Resolves when the commands in flight have ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #execute(command: TaskCommand | ExchangeOutcome, deadline: number): Promise<StateReply> {
    let known = this.#cache.get(command.taskId);
    let isFresh = false;
    for (let attempt = 0; attempt < maximumAttempts; ) {
      const decision = decideState(known?.snapshot, command);
      if (decision.type === 'change') {
        const outcome = await this.#append(known, decision.change, deadline);
        if (typeof outcome !== 'string') return outcome;
        attempt += 1;
        if (outcome !== 'unknown') await jitter(attempt);
      } else if (isFresh || (known && isOver(known.snapshot))) {
        return this.#reply(known, command, decision);
      }
      // What does not append must not rest on what this process remembers: others write too.
      known = await this.#read(command.taskId);
      isFresh = true;
    }
    return unavailable;
  }

  #reply(
    known: Known | undefined,
    command: TaskCommand | ExchangeOutcome,
    decision: Exclude<StateDecision, { type: 'change' }>,
  ): StateReply {
    switch (decision.type) {
      case 'refusal':
        return { type: 'refused', refusal: decision.refusal };
      case 'repeat':
        return doneAt(known, decision.revision);
      case 'ask-chat':
        return this.#refuseOpening(known, command, decision) ?? decision;
    }
  }

  async #append(known: Known | undefined, change: StateChange, deadline: number): Promise<Attempt> {
    const pair = evolveState(known?.snapshot, change);
    const { snapshot } = pair;
    const payload = encodeTask(pair);
    const refusal = this.#refuseSize(known, pair, payload);
    if (refusal) return { type: 'refused', refusal };
    if (Date.now() >= deadline) return unavailable;
    const outcome = await this.#options.tasks.append(pair, payload, known);
    if (outcome.type === 'appended') {
      const { sequence } = outcome;
      const recordedBytes = (known?.recordedBytes ?? 0) + payload.length;
      const stored = { snapshot, sequence, recordedBytes };
      this.#cache.set(taskIdOf(snapshot), stored, { size: payload.length });
      return doneAt(stored, snapshot.revision);
    }
    // The next decision reads the record. A change that was stored after all is found there by its id,
    // and one that was not is appended with the same expectation, so it can never be stored twice.
    this.#cache.delete(taskIdOf(snapshot));
    return outcome.type === 'unavailable' ? unavailable : outcome.type;
  }

  async #read(taskId: TaskCommand['taskId']): Promise<Known | undefined> {
    const { tasks } = this.#options;
    const message = await tasks.stream.readLast(subjects.task(taskId));
    if (!message) return undefined;
    const recorded = tasks.decode(message);
    this.#cache.set(taskId, recorded, { size: message.data.length });
    return recorded;
  }

  #refuseSize(
    known: Known | undefined,
    { snapshot }: RecordedPair,
    payload: Buffer,
  ): Refusal | undefined {
    return checkSize({
      change: payload.length,
      earlierChanges: known?.recordedBytes ?? 0,
      limit: this.#options.taskLimitBytes,
      isFinal: isOver(snapshot),
    });
  }

  /** Before the chat is asked: what it has decided must find room. */
  #refuseOpening(
    known: Known | undefined,
    { changeId: id, traceId, at }: TaskCommand | ExchangeOutcome,
    { exchange, opening }: Extract<StateReply, { type: 'ask-chat' }>,
  ): StateReply | undefined {
    const revision = exchange.revision + 1;
    const pair = evolveState(exchange, { id, traceId, at, revision, type: 'opened', opening });
    const refusal = this.#refuseSize(known, pair, encodeTask(pair));
    return refusal && { type: 'refused', refusal };
  }

  #log(command: TaskCommand | ExchangeOutcome, reply: StateReply, milliseconds: number): void {
    const { type, taskId, changeId, traceId } = command;
    const outcome = reply.type === 'refused' ? reply.refusal.error : reply.type;
    const refusal = reply.type === 'refused' ? reply.refusal.error : undefined;
    observeCommand(type, { refusal }, milliseconds);
    recordExecutedCommand(command, { milliseconds, refusal });
    const level = outcome === 'unavailable' || outcome === 'internal' ? 'warn' : 'debug';
    this.#options.logger[level](
      { command: type, taskId, changeId, traceId, outcome, ms: Math.round(milliseconds) },
      'command.handled',
    );
  }
}

const unavailable: TaskCommandReply = {
  type: 'refused',
  refusal: { error: 'unavailable', retryAfterSeconds: 1 },
};

function doneAt(known: Known | undefined, revision: number): TaskCommandReply {
  if (!known) throw new Error('Only a task that is there can have been changed before');
  const { snapshot, sequence } = known;
  return isExchange(snapshot)
    ? { type: 'exchange', exchange: snapshot }
    : { type: 'done', snapshot, sequence, revision };
}

/** Whether nothing can change it any more. */
function isOver(state: TaskState): boolean {
  return isExchange(state) ? state.state === 'answered' : isFinal(state.task.status.state);
}

function replyOfError(error: unknown): TaskCommandReply {
  if (!(error instanceof RelayError)) throw error;
  const refusal: Refusal = error.refusal;
  return { type: 'refused', refusal };
}
