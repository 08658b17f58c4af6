import { AttemptError, type NetworkFailureCode } from './attempt-error.ts';
import { RefusedTarget, type TargetRule } from './refused-target.ts';
import { parseRetryAfter } from './retry-after.ts';

/** What a receiver answered. Redirects are answers: they are never followed. */
export interface Answer {
  readonly status: number;
  /** The first bytes of the body, with what could harm a terminal or a log replaced. */
  readonly text: string;
  /** False when the body was longer than what is kept, or did not end in time. */
  readonly complete: boolean;
}

/** Why an attempt did not deliver; `detail` is short and safe to show to the target's owner. */
export type AttemptFailure =
  | { readonly code: 'status'; readonly detail: string; readonly answer: Answer }
  | { readonly code: 'refused'; readonly detail: string; readonly rule: TargetRule }
  | { readonly code: NetworkFailureCode; readonly detail: string };

interface Timed {
  readonly elapsedMilliseconds: number;
}

/** The answer was 2xx: the receiver has it, whatever became of the answer's body. */
export interface Delivered extends Timed {
  readonly kind: 'delivered';
  readonly answer: Answer;
}

/** May succeed later: 429, 5xx, and all that can go wrong on a network. */
export interface RetryLater extends Timed {
  readonly kind: 'retry';
  readonly failure: AttemptFailure;
  /** As the receiver asked, as long as it likes: the caller sets the bounds. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Will not succeed: any other status (contract §5.4), a refused target, an impossible request. */
export interface Rejected extends Timed {
  readonly kind: 'rejected';
  readonly failure: AttemptFailure;
}

export type AttemptOutcome = Delivered | RetryLater | Rejected;

export function outcomeOfAnswer(
  answer: Answer,
  retryAfter: string | undefined,
  elapsedMilliseconds: number,
): AttemptOutcome {
  const { status } = answer;
  if (status >= 200 && status <= 299) return { kind: 'delivered', answer, elapsedMilliseconds };
  const failure = { code: 'status', detail: `HTTP ${status}`, answer } as const;
  if (status !== 429 && status < 500) return { kind: 'rejected', failure, elapsedMilliseconds };
  const retryAfterSeconds = parseRetryAfter(retryAfter, Date.now());
  return { kind: 'retry', failure, retryAfterSeconds, elapsedMilliseconds };
}

/** @throws what is neither a refusal nor a failed attempt, which is a defect */
export function outcomeOfError(error: unknown, elapsedMilliseconds: number): AttemptOutcome {
  if (error instanceof RefusedTarget) {
    const failure = { code: 'refused', detail: error.message, rule: error.rule } as const;
    return { kind: 'rejected', failure, elapsedMilliseconds };
  }
  if (!(error instanceof AttemptError)) throw error;
  const failure = { code: error.code, detail: error.message };
  const kind = error.code === 'request_invalid' ? 'rejected' : 'retry';
  return { kind, failure, elapsedMilliseconds };
}
