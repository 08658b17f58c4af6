import { hash } from 'node:crypto';
import {
  type ExchangeSnapshot,
  isExchange,
  isOfTask,
  type RecordedExchangeChange,
  type RecordedPair,
  type RecordedTaskChange,
  type TaskState as RecordedTaskState,
  type TaskSnapshot,
  taskIdOf,
} from '@relay/domain';
import {
  type AgentId,
  type ChangeId,
  isJsonObject,
  type TaskId,
  type TaskState,
  taskIdSchema,
} from '@relay/protocol';
import { z } from 'zod';
import type { Appender, AppendOutcome } from './appender.ts';
import type { LiveSubscription, LiveSubscriptions } from './live.ts';
import { defaultWalkLimits as limits, type Stream, type StreamMessage, textOf } from './stream.ts';
import { subjects } from './subjects.ts';

interface Placed {
  readonly sequence: number;
  /** Sequence of the change before this one under the same id. */
  readonly previous: number;
  /** Bytes of all changes under the id, this one included. */
  readonly recordedBytes: number;
}

/** One message of TASKS: a change by reference, and the whole task after it. */
export interface RecordedTask extends Placed {
  readonly change: RecordedTaskChange;
  readonly snapshot: TaskSnapshot;
}

/** One message of TASKS while there is no task yet, but a message in a chat that may become one. */
export interface RecordedExchange extends Placed {
  readonly change: RecordedExchangeChange;
  readonly snapshot: ExchangeSnapshot;
}

export type RecordedState = RecordedTask | RecordedExchange;

const indexHeader = 'Relay-Index';

interface IndexFields {
  readonly changeId: ChangeId;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly recordedBytes: number;
}

interface TaskIndexFields extends IndexFields {
  readonly requesterId: AgentId;
  readonly calleeId: AgentId;
  readonly contextKey: string;
  readonly state: TaskState;
  /** Milliseconds since the epoch. */
  readonly statusAt: number;
}

interface ExchangeIndexFields extends IndexFields {
  readonly exchange: ExchangeSnapshot['state'];
}

type IndexHeader = TaskIndexFields | ExchangeIndexFields;

/** What a reader of headers alone learns of a change: all that filters and order of lists need. */
export type TaskIndex = TaskIndexFields & IndexPlace;
export type ExchangeIndex = ExchangeIndexFields & IndexPlace;

interface IndexPlace {
  readonly taskId: TaskId;
  readonly sequence: number;
}

/** A contextId as a key: any string may be one. */
export function contextKeyOf(contextId: string): string {
  return hash('sha256', JSON.stringify(contextId), 'base64url').slice(0, 22);
}

/** The record of tasks: who may read and append is up to the caller (only task-manager appends). */
export class TaskRecord {
  readonly stream: Stream;
  readonly #appender: Appender;
  readonly #live: LiveSubscriptions;

  constructor(stream: Stream, appender: Appender, live: LiveSubscriptions) {
    this.stream = stream;
    this.#appender = appender;
    this.#live = live;
  }

  /** The task as its last change left it; undefined also while there is an exchange alone. */
  async read(taskId: TaskId): Promise<RecordedTask | undefined> {
    const state = await this.readState(taskId);
    return state && isOfTask(state) ? state : undefined;
  }

  /** The task, or what may become one. */
  async readState(taskId: TaskId): Promise<RecordedState | undefined> {
    const message = await this.stream.readLast(subjects.task(taskId));
    return message && this.decode(message);
  }

  /** What a message of TASKS holds. */
  decode(message: StreamMessage): RecordedState {
    const pair = pairSchema.parse(JSON.parse(textOf(message.data)));
    const { recordedBytes } = readIndexHeader(message);
    return { sequence: message.sequence, previous: message.previous, recordedBytes, ...pair };
  }

  /** @param earlier the change before this one under the same id */
  append(
    pair: RecordedPair,
    payload: Buffer,
    earlier: Pick<RecordedState, 'sequence' | 'recordedBytes'> | undefined,
  ): Promise<AppendOutcome> {
    const subject = subjects.task(taskIdOf(pair.snapshot));
    const recordedBytes = (earlier?.recordedBytes ?? 0) + payload.length;
    return this.#appender.append({
      subject,
      payload,
      headers: { [indexHeader]: JSON.stringify(indexOf(pair.snapshot, recordedBytes)) },
      expectedLastSequence: earlier?.sequence ?? 0,
    });
  }

  /** The changes after a revision up to the given one, oldest first; undefined where they cannot be had. */
  async changesBetween(revision: number, last: RecordedTask): Promise<RecordedTask[] | undefined> {
    const missing = last.snapshot.revision - revision - 1;
    const found: RecordedTask[] = [];
    let { previous } = last;
    let bytes = 0;
    while (found.length < missing) {
      if (found.length === limits.messages || bytes > limits.bytes) return undefined;
      const message = await this.stream.readAt(previous);
      const recorded = message && this.decode(message);
      if (!recorded || !isOfTask(recorded)) return undefined;
      if (recorded.snapshot.task.id !== last.snapshot.task.id) return undefined;
      found.push(recorded);
      bytes += message.data.length;
      previous = recorded.previous;
    }
    return found.toReversed();
  }

  /** Removes for good what is under the id up to and with that sequence. */
  purge(taskId: TaskId, through: number): Promise<void> {
    return this.stream.purge(subjects.task(taskId), through);
  }

  /** Hears of each change as it is stored. */
  follow(taskId: TaskId, listener: (recorded: RecordedState) => void): LiveSubscription {
    return this.#live.subscribe(subjects.task(taskId), (message) => listener(this.decode(message)));
  }
}

/** The record was written by Relay alone, so what it holds is taken at its word. */
const pairSchema = z.custom<RecordedPair>(isJsonObject);
const indexSchema = z.custom<IndexHeader>(isJsonObject);

export function encodeTask({ change, snapshot }: RecordedPair): Buffer {
  return Buffer.from(JSON.stringify({ change, snapshot }));
}

export function readTaskIndex(message: StreamMessage): TaskIndex | ExchangeIndex {
  const taskId = taskIdSchema.parse(message.subject.slice(message.subject.lastIndexOf('.') + 1));
  return { taskId, sequence: message.sequence, ...readIndexHeader(message) };
}

function readIndexHeader(message: StreamMessage): IndexHeader {
  return indexSchema.parse(JSON.parse(message.header(indexHeader)));
}

function indexOf(state: RecordedTaskState, recordedBytes: number): IndexHeader {
  const last = state.recentChanges.at(-1);
  if (!last) throw new Error('A snapshot without a change cannot be recorded');
  const { changeId } = last;
  const fields = { changeId, updatedAt: Date.parse(state.updatedAt), recordedBytes };
  if (isExchange(state)) return { exchange: state.state, ...fields };
  const { task, requesterId, calleeId } = state;
  return {
    requesterId,
    calleeId,
    contextKey: contextKeyOf(task.contextId),
    state: task.status.state,
    statusAt: Date.parse(task.status.timestamp),
    ...fields,
  };
}
