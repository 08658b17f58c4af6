import { encodeTask, type RecordedTask, type TaskRecord } from '@relay/bus';
import {
  checkSize,
  decide,
  evolve,
  isFinal,
  type TaskChange,
  type TaskCommand,
  type TaskCommandPort,
  type TaskCommandReply,
  toRecordedChange,
} from '@relay/domain';
import { type Refusal, RelayError } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import { LRUCache } from 'lru-cache';
import { KeyedQueue } from './keyed-queue.ts';

const maximumAttempts = 5;
/** Milliseconds; other processes that write the same task get out of step with this one. */
const conflictJitter = 20;
const cacheBytes = 64 * 1024 * 1024;

export interface CommandHandlerOptions {
  readonly tasks: TaskRecord;
  readonly taskLimitBytes: number;
  readonly logger: Logger;
}

type Known = Pick<RecordedTask, 'snapshot' | 'sequence' | 'recordedBytes'>;
type Attempt = TaskCommandReply | 'conflict' | 'unknown';

/**
 * The only writer of tasks: reads a task, decides, appends with the sequence it read. Commands on one
 * task take turns here; between processes compare-and-set is the safety net.
 */
export class CommandHandler implements TaskCommandPort {
  readonly #options: CommandHandlerOptions;
  readonly #queue = new KeyedQueue();
  readonly #cache = new LRUCache<string, Known>({
    maxSize: cacheBytes,
    sizeCalculation: ({ recordedBytes, snapshot }) =>
      Math.max(1, Math.ceil(recordedBytes / snapshot.revision)),
  });

  constructor(options: CommandHandlerOptions) {
    this.#options = options;
  }

  async execute(command: TaskCommand, deadline: number): Promise<TaskCommandReply> {
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

  async #execute(command: TaskCommand, deadline: number): Promise<TaskCommandReply> {
    let known = this.#cache.get(command.taskId);
    let isFresh = false;
    for (let attempt = 0; attempt < maximumAttempts; ) {
      const decision = decide(known?.snapshot, command);
      if (decision.type === 'change') {
        const outcome = await this.#append(known, decision.change, deadline);
        if (typeof outcome !== 'string') return outcome;
        attempt += 1;
        if (outcome === 'conflict') await jitter(attempt);
      } else if (isFresh || (known && isFinal(known.snapshot.task.status.state))) {
        return decision.type === 'refusal'
          ? { type: 'refused', refusal: decision.refusal }
          : doneAt(known, decision.revision);
      }
      // What does not append must not rest on what this process remembers: others write too.
      known = await this.#read(command.taskId);
      isFresh = true;
    }
    return unavailable;
  }

  async #append(known: Known | undefined, change: TaskChange, deadline: number): Promise<Attempt> {
    const snapshot = evolve(known?.snapshot, change);
    const recorded = toRecordedChange(change);
    const payload = encodeTask(recorded, snapshot);
    const earlierChanges = known?.recordedBytes ?? 0;
    const refusal = checkSize({
      change: payload.length,
      earlierChanges,
      limit: this.#options.taskLimitBytes,
      isFinal: isFinal(snapshot.task.status.state),
    });
    if (refusal) return { type: 'refused', refusal };
    if (Date.now() >= deadline) return unavailable;
    const outcome = await this.#options.tasks.append(recorded, snapshot, payload, known);
    if (outcome.type === 'appended') {
      const { sequence } = outcome;
      const recordedBytes = earlierChanges + payload.length;
      this.#cache.set(snapshot.task.id, { snapshot, sequence, recordedBytes });
      return { type: 'done', snapshot, sequence, revision: snapshot.revision };
    }
    // The next decision reads the record. A change that was stored after all is found there by its id,
    // and one that was not is appended with the same expectation, so it can never be stored twice.
    this.#cache.delete(snapshot.task.id);
    return outcome.type === 'unavailable' ? unavailable : outcome.type;
  }

  async #read(taskId: TaskCommand['taskId']): Promise<Known | undefined> {
    const recorded = await this.#options.tasks.read(taskId);
    if (recorded) this.#cache.set(taskId, recorded);
    return recorded;
  }

  #log(command: TaskCommand, reply: TaskCommandReply, milliseconds: number): void {
    const { type, taskId, changeId, traceId } = command;
    const outcome = reply.type === 'done' ? 'done' : reply.refusal.error;
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
  return { type: 'done', snapshot: known.snapshot, sequence: known.sequence, revision };
}

function replyOfError(error: unknown): TaskCommandReply {
  if (!(error instanceof RelayError)) throw error;
  const refusal: Refusal = error.refusal;
  return { type: 'refused', refusal };
}

function jitter(attempt: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.random() * conflictJitter * attempt);
  });
}
