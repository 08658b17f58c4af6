import { setTimeout as sleep } from 'node:timers/promises';

/** Leases that are given back wait for it, and the others must be renewed meanwhile. */
const patienceMilliseconds = 1_500;

/** Gives work that was begun a little time to end. */
export async function withPatience(works: readonly Promise<void>[]): Promise<void> {
  const patience = new AbortController();
  const isOver = sleep(patienceMilliseconds, undefined, { signal: patience.signal });
  await Promise.race([Promise.all(works), isOver]);
  patience.abort();
}
