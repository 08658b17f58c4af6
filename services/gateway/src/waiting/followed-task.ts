import type { RecordedState, RecordedTask } from '@relay/bus';
import { isOfTask } from '@relay/domain';

/**
 * One task, for all calls of this process that wait for it. It holds nothing of the task itself: thousands
 * may wait, and a task may have megabytes.
 */
export class FollowedTask {
  readonly #read: () => Promise<RecordedState | undefined>;
  readonly #waiting = new Set<(recorded: RecordedState) => void>();
  /** The newest that was heard of. */
  #revision = 0;

  /** @param read gives the task as it stands */
  constructor(read: () => Promise<RecordedState | undefined>) {
    this.#read = read;
  }

  /** Gives what was heard or read to those for whom it is new. */
  offer(recorded: RecordedState): void {
    this.#revision = Math.max(this.#revision, recorded.snapshot.revision);
    for (const take of this.#waiting) take(recorded);
  }

  /** As newerThan, of what is a task already. */
  async taskNewerThan(revision: number, signal: AbortSignal): Promise<RecordedTask | undefined> {
    const newer = await this.newerThan(revision, signal);
    return newer && isOfTask(newer) ? newer : undefined;
  }

  /** The newest state once it is past that revision; undefined where the signal comes first. */
  newerThan(revision: number, signal: AbortSignal): Promise<RecordedState | undefined> {
    const next = this.#next(revision, signal);
    if (this.#revision > revision) void this.#offerMissed();
    return next;
  }

  /** What came while nobody waited. Where it cannot be read now, the next safety read brings it. */
  async #offerMissed(): Promise<void> {
    const recorded = await this.#read().catch(() => undefined);
    if (recorded) this.offer(recorded);
  }

  #next(revision: number, signal: AbortSignal): Promise<RecordedState | undefined> {
    return new Promise((resolve) => {
      const settle = (recorded: RecordedState | undefined) => {
        this.#waiting.delete(take);
        signal.removeEventListener('abort', end);
        resolve(recorded);
      };
      const take = (recorded: RecordedState) => {
        if (recorded.snapshot.revision > revision) settle(recorded);
      };
      const end = () => settle(undefined);
      this.#waiting.add(take);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }
}
