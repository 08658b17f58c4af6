import { Backoff } from './backoff.ts';
import { pause } from './pause.ts';
import { isTransient, RelayRequestError } from './request-error.ts';

/** With these a request outlives a short restart of Relay, and a caller still learns soon of a long one. */
const maximumTries = 5;
const longestWaitMilliseconds = 30_000;

/** Tries a request again while its failure may pass. It must be one that may be made twice. */
export async function withRetries<Result>(
  request: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const backoff = new Backoff();
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      const wait = Math.max(backoff.next(), waitAskedFor(error));
      if (tries === maximumTries || !isTransient(error) || wait > longestWaitMilliseconds) {
        throw error;
      }
      await pause(wait, signal);
    }
  }
}

/** Milliseconds that Relay asked to wait. */
export function waitAskedFor(error: unknown): number {
  return error instanceof RelayRequestError ? (error.retryAfter ?? 0) * 1000 : 0;
}
