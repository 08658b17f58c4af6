import type { StreamMessage } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { FeedContext } from './feed-context.ts';
import { type AcceptedTypes, type FeedRecord, isWebhookMode } from './feed-record.ts';
import { type FeedConsumer, FeedRun, type FeedRunOwner } from './feed-run.ts';

/**
 * Those that watch a feed and are no part of it: each reads for itself from what is acknowledged on, so
 * that none can hold up a consumer.
 */
export class Observers implements FeedRunOwner {
  readonly agentId: AgentId;
  readonly #context: FeedContext;
  #runs: Map<FeedConsumer, FeedRun> | undefined;

  constructor(context: FeedContext, agentId: AgentId) {
    this.#context = context;
    this.agentId = agentId;
  }

  get count(): number {
    return this.#runs?.size ?? 0;
  }

  /** @param start called in the tick in which it becomes part of its run */
  add(observer: FeedConsumer, feed: FeedRecord, start: (run: FeedRun) => void): void {
    const run = new FeedRun(this.#context, this, asObserved(feed, observer.accepts));
    this.#runs ??= new Map();
    this.#runs.set(observer, run);
    start(run);
    run.add(observer);
  }

  remove(observer: FeedConsumer): void {
    this.#runs?.get(observer)?.close();
    this.#runs?.delete(observer);
  }

  hear(message: StreamMessage): void {
    for (const run of this.#runs?.values() ?? []) run.hear(message);
  }

  look(): void {
    for (const run of this.#runs?.values() ?? []) run.look();
  }

  /** The numbers are not good any more, or the agent gets its events by webhook now. */
  end(record: FeedRecord): void {
    for (const observer of this.#runs?.keys() ?? []) {
      if (isWebhookMode(record)) observer.refuse();
      else observer.restart(false);
    }
  }

  /** Nothing of what an observer has seen is saved. */
  onMoved(): void {}

  /** Consumers are told what is missing. */
  onGap(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    for (const run of this.#runs?.values() ?? []) run.close();
    this.#runs = undefined;
  }
}

/** An observer confirms nothing, so it waits for nothing, and leaves out what it wants to. */
function asObserved(record: FeedRecord, accepts: AcceptedTypes): FeedRecord {
  const { acked, fullSyncThrough } = record;
  return {
    ...record,
    acked: fullSyncThrough ?? acked,
    fullSyncThrough: null,
    accepts: accepts ? { ...record.accepts, observer: [...accepts] } : record.accepts,
  };
}
