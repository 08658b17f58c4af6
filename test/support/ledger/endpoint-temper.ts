import { createHash } from 'node:crypto';

/**
 * How an endpoint takes what it is sent. `slow`: always, after a while. `flaky`: some events not at first,
 * each in its own way, and nothing at all for some seconds now and then. `picky`: some events never.
 */
export type Temper = 'healthy' | 'slow' | 'flaky' | 'picky';

export interface Answer {
  /** `never`: the connection stays open and silent. */
  readonly status: number | 'never' | 'reset';
  readonly afterMilliseconds: number;
  /** In seconds. */
  readonly retryAfter?: number;
}

const slowMilliseconds = 100;
const outage = { everyMilliseconds: 20_000, lastsMilliseconds: 3_000 };
/** One event of so many is not taken as the others are. */
const troubleOneIn = 12;

const accepted: Answer = { status: 204, afterMilliseconds: 0 };
const troubles: readonly Answer[] = [
  { status: 500, afterMilliseconds: 0 },
  { status: 503, afterMilliseconds: 0, retryAfter: 3 },
  { status: 'reset', afterMilliseconds: 0 },
  { status: 'never', afterMilliseconds: 0 },
];
const [serverError = accepted] = troubles;

/** @param tries how many times this event has come, with this one; `at` by the monotonic clock */
export function answerOf(
  temper: Temper,
  eventId: string,
  { tries, at }: { readonly tries: number; readonly at: number },
): Answer {
  const number = numberOf(eventId);
  const isTrouble = number % troubleOneIn === 0;
  switch (temper) {
    case 'healthy':
      return accepted;
    case 'slow':
      return { ...accepted, afterMilliseconds: slowMilliseconds };
    case 'picky':
      return isTrouble ? { status: 400, afterMilliseconds: 0 } : accepted;
    case 'flaky':
      if (at % outage.everyMilliseconds < outage.lastsMilliseconds) return serverError;
      return isTrouble && tries <= 2
        ? (troubles[Math.floor(number / troubleOneIn) % troubles.length] ?? accepted)
        : accepted;
  }
}

/** The same for an event each time, and spread evenly. */
function numberOf(eventId: string): number {
  return createHash('sha256').update(eventId).digest().readUInt32BE();
}
