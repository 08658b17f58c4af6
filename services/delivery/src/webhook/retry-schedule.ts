/** The pauses between the attempts of one round, in milliseconds. */
export type RetrySchedule = readonly number[];

const jitter = 0.2;
/** A receiver may ask for a pause as long as this, or as long as the longest of the schedule. */
const longestAsked = 600_000;

export interface FailedAttempt {
  /** How many attempts of this round were made, with this one. */
  readonly attempts: number;
  /** What the receiver asked for. */
  readonly retryAfterSeconds: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds from a failed attempt to the next one: the schedule's, up to a fifth more or less, or
 * longer where the receiver asks for it.
 * @returns undefined when there is no further attempt
 */
export function retryDelay(
  schedule: RetrySchedule,
  { attempts, retryAfterSeconds = 0, random }: FailedAttempt,
): number | undefined {
  const scheduled = schedule[attempts - 1];
  if (scheduled === undefined) return undefined;
  const delay = scheduled * (1 - jitter + 2 * jitter * random);
  const asked = Math.min(retryAfterSeconds * 1_000, Math.max(longestAsked, ...schedule));
  return Math.round(Math.max(delay, asked));
}
