/** Milliseconds; other processes that write the same thing get out of step with this one. */
const conflictJitter = 20;

/** Waits a moment at random, a longer one with each attempt. */
export function jitter(attempt: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.random() * conflictJitter * attempt);
  });
}
