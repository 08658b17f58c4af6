import type { ChangeId } from '@relay/protocol';

interface Done {
  readonly sequence: number;
  readonly changeId: ChangeId;
}

interface Change {
  /** Undefined for a message that is set aside: a checkpoint cannot name it. */
  readonly done: Done | undefined;
  isDone: boolean;
}

/** The changes in work, begun in order and done in any: up to which one is everything done? */
export class Progress {
  readonly #changes = new Set<Change>();
  #doneThrough: Done | undefined;

  /** @returns a function that says that the change is done with */
  begin(sequence: number, changeId: ChangeId): () => void {
    return this.#begin({ done: { sequence, changeId }, isDone: false });
  }

  /** @returns a function that says that a message which is no change is set aside */
  beginSettingAside(): () => void {
    return this.#begin({ done: undefined, isDone: false });
  }

  /** The last change before which, and with which, everything is done. */
  get doneThrough(): Done | undefined {
    return this.#doneThrough;
  }

  #begin(change: Change): () => void {
    this.#changes.add(change);
    return () => {
      change.isDone = true;
      this.#advance();
    };
  }

  #advance(): void {
    for (const change of this.#changes) {
      if (!change.isDone) return;
      this.#changes.delete(change);
      this.#doneThrough = change.done ?? this.#doneThrough;
    }
  }
}
