type Session = () => void;

/** The open calls, streams and sockets of each token, to be ended when it is revoked. */
export class TokenSessions {
  readonly #sessions = new Map<string, Set<Session>>();

  /** @returns a function that takes the session off the list */
  add(tokenHash: string, end: Session): () => void {
    const sessions = this.#sessions.get(tokenHash) ?? new Set();
    this.#sessions.set(tokenHash, sessions);
    sessions.add(end);
    return () => {
      sessions.delete(end);
      if (sessions.size === 0 && this.#sessions.get(tokenHash) === sessions) {
        this.#sessions.delete(tokenHash);
      }
    };
  }

  endAll(tokenHash: string): void {
    const sessions = this.#sessions.get(tokenHash);
    this.#sessions.delete(tokenHash);
    for (const end of sessions ?? []) end();
  }

  get tokenHashes(): readonly string[] {
    return [...this.#sessions.keys()];
  }
}
