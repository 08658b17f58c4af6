interface Watched {
  readonly controller: AbortController;
  turns: number;
}

/** Tells the handlers of a task that it was canceled. */
export class Cancellations {
  readonly #tasks = new Map<string, Watched>();

  /** Runs a turn of a task with the signal that all its turns share. */
  async during(taskId: string, turn: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const watched = this.#tasks.get(taskId) ?? { controller: new AbortController(), turns: 0 };
    this.#tasks.set(taskId, watched);
    watched.turns += 1;
    try {
      await turn(watched.controller.signal);
    } finally {
      watched.turns -= 1;
      if (watched.turns === 0) this.#tasks.delete(taskId);
    }
  }

  cancel(taskId: string): void {
    this.#tasks.get(taskId)?.controller.abort(new Error('The task was canceled.'));
  }
}
