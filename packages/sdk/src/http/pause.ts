import { setTimeout } from 'node:timers/promises';

/** A timer that is set for longer ends at once. */
const longestMilliseconds = 2 ** 31 - 1;

/** Waits, or less when the signal says stop: what follows looks at the signal itself. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const wait = Math.min(milliseconds, longestMilliseconds);
  await setTimeout(wait, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
