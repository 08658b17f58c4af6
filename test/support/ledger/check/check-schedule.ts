import type { WebhookRequest } from '../webhook-endpoint.ts';
import { groupBy } from './group-by.ts';

/** How webhooks are to be tried again in a crash run, in seconds: `RELAY_WEBHOOK_RETRY_SECONDS`. */
export const retrySeconds: readonly number[] = [1, 2, 2, 4, 4, 4, 8, 8, 8];
/** `RELAY_WEBHOOK_TIMEOUT_SECONDS`. */
export const timeoutSeconds = 2;

const jitter = 0.2;
/** Clocks round, and the receiver notes when it has got a request. */
const tolerance = 100;
/** An endpoint that fails often rests as long, and then gets one event at a time. */
const longestRest = 1_000 * Math.max(...retrySeconds);
/** On a busy machine, and behind others that are due. */
const slack = 15_000;
/** After so many that it takes an endpoint gets as many at once as any other. */
const takenToRecover = 8;

/** From a fault until all is as before. Milliseconds by the monotonic clock. */
export interface Disturbance {
  readonly from: number;
  readonly to: number;
}

/** Each event is tried again when the schedule says, and never after it was rejected, but for crashes. */
export function checkSchedule(
  mailbox: string,
  received: readonly WebhookRequest[],
  disturbances: readonly Disturbance[],
): string[] {
  const isDisturbed = (from: number, to: number) =>
    disturbances.some((disturbance) => disturbance.from < to && from < disturbance.to);
  return [...groupBy(received, ({ eventId }) => eventId)].flatMap(([eventId, requests]) =>
    lastOfEachAttempt(requests).flatMap((next, index, tries) => {
      const previous = tries[index - 1];
      if (!previous || isDisturbed(previous.at, next.at)) return [];
      const isFirstRound = !isDisturbed(tries[0]?.at ?? 0, next.at);
      const fault = faultOf({ received, previous, next, failures: index }, isFirstRound);
      const moment = (next.at / 1_000).toFixed(1);
      const what = `${mailbox}: event ${eventId}, try ${index + 1} at ${moment} s`;
      return fault ? [`${what}: ${fault}`] : [];
    }),
  );
}

function lastOfEachAttempt(requests: readonly WebhookRequest[]): WebhookRequest[] {
  return requests.filter(({ signature }, index) => requests[index + 1]?.signature !== signature);
}

interface Retry {
  /** All that came to the endpoint. */
  readonly received: readonly WebhookRequest[];
  readonly previous: WebhookRequest;
  readonly next: WebhookRequest;
  /** How many tries there were; some of them may not have been recorded after a crash. */
  readonly failures: number;
}

function faultOf(retry: Retry, areAllRecorded: boolean): string | undefined {
  const { previous, next, failures } = retry;
  if (previous.answer === 'accepted') return 'it had been accepted';
  if (previous.answer === 'rejected') return 'it had been rejected';
  const pauseOf = (tries: number) => 1_000 * (retrySeconds[tries - 1] ?? Math.max(...retrySeconds));
  const end = endOf(previous);
  const pause = next.at - end;
  const least = Math.max(
    (1 - jitter) * pauseOf(areAllRecorded ? failures : 1),
    previous.askedPause,
  );
  const most = Math.max((1 + jitter) * pauseOf(failures), previous.askedPause);
  const what = `after ${previous.answer} and ${Math.round(pause)} ms`;
  if (pause < least - tolerance) return `${what}, ${least} at least`;
  const isLate = (since: number) => next.at - since > longestRest + slack;
  if (isLate(end + most) && isLate(lastRest(retry))) return `${what}, ${most} at most`;
  return undefined;
}

/** When the endpoint began to rest last: until it has recovered, each event that fails makes it rest again. */
function lastRest({ received, previous, next }: Retry): number {
  let since = endOf(previous);
  let taken = 0;
  for (const request of received) {
    if (request.at < since || request.at >= next.at) continue;
    if (request.answer === 'accepted' || request.answer === 'rejected') taken += 1;
    else [since, taken] = [endOf(request), 0];
    if (taken === takenToRecover) break;
  }
  return since;
}

/** A receiver that is busy may note late that Relay has hung up. */
function endOf({ at, endedAt }: WebhookRequest): number {
  return Math.min(endedAt, at + 1_000 * timeoutSeconds);
}
