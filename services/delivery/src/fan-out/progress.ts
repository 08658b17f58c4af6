import type { ChangeId } from '@relay/protocol';

interface Change {
  readonly sequence: number;
  readonly changeId: ChangeId;
  isDone: boolean;
}

/** The changes in work, begun in order and done in any: up to which one is everything done? */
export class Progress {
  readonly #changes = new Set<Change>();
  #doneThrough: Change | undefined;

  /** @returns a function that says that the change is done with */
  begin(sequence: number, changeId: ChangeId): () => void {
    const change = { sequence, changeId, isDone: false };
    this.#changes.add(change);
    return () => {
      change.isDone = true;
      this.#advance();
    };
  }

  /** The last change before which, and with which, everything is done. */
  get doneThrough(): Readonly<Change> | undefined {
    return this.#doneThrough;
  }

  #advance(): void {
    for (const change of this.#changes) {
      if (!change.isDone) return;
      this.#changes.delete(change);
      this.#doneThrough = change;
    }
  }
}
