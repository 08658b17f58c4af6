import type { AttemptFailure, AttemptOutcome } from '@relay/outbound';
import { type DeliveryAttempt, timestampAt } from '@relay/protocol';
import { withoutSecrets } from './without-secrets.ts';

export interface AttemptTime {
  /** From 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

const outcomes = {
  delivered: 'delivered',
  retry: 'retryable_failure',
  rejected: 'terminal_failure',
} as const;

/**
 * What the owner of a subscription is shown of an attempt.
 * @param secrets what an answer must not show
 */
export function toDeliveryAttempt(
  outcome: AttemptOutcome,
  secrets: readonly string[],
  { number, startedAt }: AttemptTime,
): DeliveryAttempt {
  const failure = outcome.kind === 'delivered' ? undefined : outcome.failure;
  const answer = outcome.kind === 'delivered' ? outcome.answer : answerOf(outcome.failure);
  return {
    number,
    started_at: timestampAt(startedAt),
    finished_at: timestampAt(startedAt + outcome.elapsedMilliseconds),
    outcome: outcomes[outcome.kind],
    http_status: answer?.status ?? null,
    error_code: failure ? errorCodeOf(failure) : null,
    error_message: failure && failure.code !== 'status' ? failure.detail : null,
    answer: withoutSecrets(answer?.text ?? '', secrets),
  };
}

function answerOf(failure: AttemptFailure) {
  return failure.code === 'status' ? failure.answer : undefined;
}

/** Such as `http_503`, `dns` or `refused_loopback`. */
function errorCodeOf(failure: AttemptFailure): string {
  if (failure.code === 'status') return `http_${failure.answer.status}`;
  return failure.code === 'refused' ? `refused_${failure.rule}` : failure.code;
}
