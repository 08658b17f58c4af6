import { setTimeout } from 'node:timers/promises';

/** Waits, or less when the signal says stop: what follows looks at the signal itself. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(milliseconds, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
