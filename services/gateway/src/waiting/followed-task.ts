import type { RecordedTask } from '@relay/bus';

/** The newest state of one task that this process has heard of, for all its calls that wait for it. */
export class FollowedTask {
  readonly #wakeUps = new Set<() => void>();
  #latest: RecordedTask | undefined;

  /** Takes in what was heard or read; only what is newer counts. */
  offer(recorded: RecordedTask): void {
    if (this.#latest && this.#latest.snapshot.revision >= recorded.snapshot.revision) return;
    this.#latest = recorded;
    for (const wakeUp of this.#wakeUps) wakeUp();
  }

  /** The newest state once it is past that revision; undefined where the signal comes first. */
  async newerThan(revision: number, signal: AbortSignal): Promise<RecordedTask | undefined> {
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
