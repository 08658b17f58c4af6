import type { AgentId, TaskId, TaskState } from '@relay/protocol';
import type { Redis } from 'ioredis';
import { clearIndex, type IndexProgress, readProgress } from './index-progress.ts';
import { applyScript, listScript, removeScript } from './task-index-scripts.ts';

/** A task as lists filter and order it. Bodies are read from the record. */
export interface IndexedTask {
  readonly taskId: TaskId;
  readonly requesterId: AgentId;
  readonly calleeId: AgentId;
  readonly contextKey: string;
  readonly state: TaskState;
  /** Milliseconds since the epoch. */
  readonly statusAt: number;
  readonly updatedAt: number;
  /** Of the change in the record: a newer one wins. */
  readonly sequence: number;
}

/** The tasks of one side, latest update first, or those between two agents, latest status first. */
export type TaskSelection =
  | { readonly side: 'requester' | 'callee'; readonly agentId: AgentId }
  | {
      readonly side: 'both';
      readonly requesterId: AgentId;
      readonly calleeId: AgentId;
      readonly contextKey: string | undefined;
    };

export interface TaskIndexQuery {
  readonly selection: TaskSelection;
  readonly state?: TaskState | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly notBefore?: number | undefined;
  readonly after?: IndexPosition | undefined;
  readonly limit: number;
}

/** Where a page ended. */
export interface IndexPosition {
  readonly score: string;
  readonly taskId: string;
}

export interface TaskIndexPage {
  readonly tasks: readonly IndexPosition[];
  /** Before paging. */
  readonly totalSize: number;
}

/**
 * Index of tasks in Redis, filled in stream order. Its progress stands beside it and moves in the same
 * script, so a flush takes both and is noticed by the next batch and the next list.
 */
export class TaskIndex {
  readonly #redis: Redis;
  readonly #stream: () => string;

  /** @param stream names the record the index is of now: another record must not find this one's entries */
  constructor(redis: Redis, stream: () => string) {
    this.#redis = redis;
    this.#stream = stream;
  }

  progress(): Promise<IndexProgress> {
    return readProgress(this.#redis, this.#prefix);
  }

  /** Forgets everything, for a record that is not what it was. */
  clear(): Promise<void> {
    return clearIndex(this.#redis, this.#prefix);
  }

  /**
   * Takes a batch in and moves the progress.
   * @returns false where the progress stored is not the one expected: read it and go on from there
   */
  async apply(
    batch: readonly IndexedTask[],
    expected: number,
    progress: IndexProgress,
  ): Promise<boolean> {
    const entries = JSON.stringify(batch);
    const applied = await this.#redis.eval(
      applyScript,
      0,
      this.#prefix,
      expected,
      progress.sequence,
      entries,
      progress.changeId ?? '',
    );
    return applied === 1;
  }

  /**
   * Takes a task out that is about to leave the record.
   * @returns false while the index has not reached its last change
   */
  async remove(task: IndexedTask): Promise<boolean> {
    return (await this.#redis.eval(removeScript, 0, this.#prefix, JSON.stringify(task))) === 1;
  }

  /** @returns undefined where the index has not reached the sequence */
  async list(query: TaskIndexQuery, sequence: number): Promise<TaskIndexPage | undefined> {
    const answer = await this.#redis.eval(
      listScript,
      0,
      this.#prefix,
      sequence,
      setOf(query),
      query.notBefore ?? '-inf',
      query.after?.score ?? '+inf',
      query.after?.taskId ?? '',
      query.limit,
    );
    if (!isList(answer)) return undefined;
    const [totalSize, ...flat] = answer;
    return { totalSize: Number(totalSize), tasks: pairs(flat.map(String)) };
  }

  get #prefix(): string {
    return `relay:${this.#stream()}:`;
  }
}

function setOf({ selection, state }: TaskIndexQuery): string {
  const suffix = state ? `:${state}` : '';
  if (selection.side !== 'both') return `${selection.side}:${selection.agentId}${suffix}`;
  const { requesterId, calleeId, contextKey } = selection;
  const context = contextKey ? `:context:${contextKey}` : '';
  return `pair:${requesterId}:${calleeId}${context}${suffix}`;
}

function isList(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer);
}

function pairs(flat: readonly string[]): IndexPosition[] {
  return flat.flatMap((taskId, at) =>
    at % 2 === 0 ? [{ taskId, score: flat[at + 1] ?? '' }] : [],
  );
}
