type Session = () => void;

/** The open calls, streams and sockets of each token, to be ended when it is revoked. */
export class TokenSessions {
  readonly #sessions = new Map<string, readonly Session[]>();

  /** @returns a function that takes the session off the list */
  add(tokenHash: string, end: Session): () => void {
    this.#sessions.set(tokenHash, [...(this.#sessions.get(tokenHash) ?? []), end]);
    return () => {
      const others = this.#sessions.get(tokenHash)?.filter((session) => session !== end) ?? [];
      if (others.length > 0) this.#sessions.set(tokenHash, others);
      else this.#sessions.delete(tokenHash);
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
