import type { RecordedState, RecordedTask } from '@relay/bus';
import { isOfTask } from '@relay/domain';

/** The newest state of one task that this process has heard of, for all its calls that wait for it. */
export class FollowedTask {
  readonly #wakeUps = new Set<() => void>();
  #latest: RecordedState | undefined;

  /** Takes in what was heard or read; only what is newer counts. */
  offer(recorded: RecordedState): void {
    if (this.#latest && this.#latest.snapshot.revision >= recorded.snapshot.revision) return;
    this.#latest = recorded;
    for (const wakeUp of this.#wakeUps) wakeUp();
  }

  /** As newerThan, of what is a task already. */
  async taskNewerThan(revision: number, signal: AbortSignal): Promise<RecordedTask | undefined> {
    const newer = await this.newerThan(revision, signal);
    return newer && isOfTask(newer) ? newer : undefined;
  }

  /** The newest state once it is past that revision; undefined where the signal comes first. */
  async newerThan(revision: number, signal: AbortSignal): Promise<RecordedState | undefined> {
    const newer = () => {
      const latest = this.#latest;
      return latest && latest.snapshot.revision > revision ? latest : undefined;
    };
    if (signal.aborted) return undefined;
    return (
      newer() ??
      new Promise((resolve) => {
        const settle = () => {
          const recorded = newer();
          if (!recorded && !signal.aborted) return;
          this.#wakeUps.delete(settle);
          signal.removeEventListener('abort', settle);
          resolve(signal.aborted ? undefined : recorded);
        };
        this.#wakeUps.add(settle);
        signal.addEventListener('abort', settle);
      })
    );
  }
}
