import { hash } from 'node:crypto';
import type { RecordedTaskChange, TaskSnapshot } from '@relay/domain';
import {
  type AgentId,
  type ChangeId,
  isJsonObject,
  type TaskId,
  type TaskState,
  taskIdSchema,
} from '@relay/protocol';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Appender, AppendOutcome } from './appender.ts';
import type { LiveSubscription, LiveSubscriptions } from './live.ts';
import { type Stream, type StreamMessage, textOf } from './stream.ts';
import { subjects } from './subjects.ts';

/** One message of TASKS: a change by reference, and the whole task after it. */
export interface RecordedTask {
  readonly change: RecordedTaskChange;
  readonly snapshot: TaskSnapshot;
  readonly sequence: number;
  /** Sequence of the task's change before this one. */
  readonly previous: number;
  /** Bytes of all changes of the task, this one included. */
  readonly recordedBytes: number;
}

interface Appended extends Omit<RecordedTask, 'sequence' | 'previous'> {
  readonly payload: Buffer;
}

const indexHeader = 'Relay-Index';
/** What was appended here comes back within milliseconds to those who follow it. */
const remembered = { max: 1_000, maxSize: 8 * 1024 * 1024 } as const;

interface TaskIndexHeader {
  readonly changeId: ChangeId;
  readonly requesterId: AgentId;
  readonly calleeId: AgentId;
  readonly contextKey: string;
  readonly state: TaskState;
  /** Milliseconds since the epoch. */
  readonly statusAt: number;
  readonly updatedAt: number;
  readonly recordedBytes: number;
}

/** What a reader of headers alone learns of a change: all that filters and order of lists need. */
export type TaskIndex = TaskIndexHeader & { readonly taskId: TaskId; readonly sequence: number };

/** A contextId as a key: any string may be one. */
export function contextKeyOf(contextId: string): string {
  return hash('sha256', JSON.stringify(contextId), 'base64url').slice(0, 22);
}

/** The record of tasks: who may read and append is up to the caller (only task-manager appends). */
export class TaskRecord {
  readonly stream: Stream;
  readonly #appender: Appender;
  readonly #live: LiveSubscriptions;
  /** By subject: what this process appended last need not be parsed again. */
  readonly #appended = new LRUCache<string, Appended>(remembered);

  constructor(stream: Stream, appender: Appender, live: LiveSubscriptions) {
    this.stream = stream;
    this.#appender = appender;
    this.#live = live;
  }

  /** The task as its last change left it. */
  async read(taskId: TaskId): Promise<RecordedTask | undefined> {
    const message = await this.stream.readLast(subjects.task(taskId));
    return message && this.decode(message);
  }

  /** The task as a message of TASKS holds it. */
  decode(message: StreamMessage): RecordedTask {
    const appended = this.#appended.get(message.subject);
    if (!appended?.payload.equals(message.data)) return decodeTask(message);
    const { change, snapshot, recordedBytes } = appended;
    const { sequence, previous } = message;
    return { change, snapshot, sequence, previous, recordedBytes };
  }

  /** @param earlier the task's change before this one */
  append(
    change: RecordedTaskChange,
    snapshot: TaskSnapshot,
    payload: Buffer,
    earlier: Pick<RecordedTask, 'sequence' | 'recordedBytes'> | undefined,
  ): Promise<AppendOutcome> {
    const subject = subjects.task(snapshot.task.id);
    const recordedBytes = (earlier?.recordedBytes ?? 0) + payload.length;
    this.#appended.set(
      subject,
      { change, snapshot, recordedBytes, payload },
      { size: payload.length },
    );
    return this.#appender.append({
      subject,
      payload,
      headers: { [indexHeader]: JSON.stringify(indexOf(snapshot, recordedBytes)) },
      expectedLastSequence: earlier?.sequence ?? 0,
    });
  }

  /** The changes after a revision up to the given one, oldest first; undefined where they cannot be had. */
  async changesBetween(revision: number, last: RecordedTask): Promise<RecordedTask[] | undefined> {
    const missing = last.snapshot.revision - revision - 1;
    if (missing < 1) return [];
    const found: RecordedTask[] = [];
    for (let { previous } = last; found.length < missing; ) {
      const message = found.length < 64 ? await this.stream.readAt(previous) : undefined;
      if (!message) return undefined;
      const recorded = this.decode(message);
      if (recorded.snapshot.task.id !== last.snapshot.task.id) return undefined;
      found.push(recorded);
      previous = recorded.previous;
    }
    return found.toReversed();
  }

  /** Removes a task and all its changes for good. */
  purge(taskId: TaskId): Promise<void> {
    return this.stream.purge(subjects.task(taskId));
  }

  /** Hears of each change as it is stored. */
  follow(taskId: TaskId, listener: (recorded: RecordedTask) => void): LiveSubscription {
    return this.#live.subscribe(subjects.task(taskId), (message) => listener(this.decode(message)));
  }
}

interface TaskBody {
  readonly change: RecordedTaskChange;
  readonly snapshot: TaskSnapshot;
}

/** The record was written by Relay alone, so what it holds is taken at its word. */
const bodySchema = z.custom<TaskBody>(isJsonObject);
const indexSchema = z.custom<TaskIndexHeader>(isJsonObject);

export function encodeTask(change: RecordedTaskChange, snapshot: TaskSnapshot): Buffer {
  return Buffer.from(JSON.stringify({ change, snapshot } satisfies TaskBody));
}

function decodeTask(message: StreamMessage): RecordedTask {
  const body = bodySchema.parse(JSON.parse(textOf(message.data)));
  const { recordedBytes } = readIndexHeader(message);
  return { ...body, sequence: message.sequence, previous: message.previous, recordedBytes };
}

export function readTaskIndex(message: StreamMessage): TaskIndex {
  const taskId = taskIdSchema.parse(message.subject.slice(message.subject.lastIndexOf('.') + 1));
  return { ...readIndexHeader(message), taskId, sequence: message.sequence };
}

function readIndexHeader(message: StreamMessage): TaskIndexHeader {
  return indexSchema.parse(JSON.parse(message.header(indexHeader)));
}

function indexOf(
  { task, requesterId, calleeId, updatedAt, recentChanges }: TaskSnapshot,
  recordedBytes: number,
): TaskIndexHeader {
  const last = recentChanges.at(-1);
  if (!last) throw new Error('A snapshot without a change cannot be recorded');
  return {
    changeId: last.changeId,
    requesterId,
    calleeId,
    contextKey: contextKeyOf(task.contextId),
    state: task.status.state,
    statusAt: Date.parse(task.status.timestamp),
    updatedAt: Date.parse(updatedAt),
    recordedBytes,
  };
}
