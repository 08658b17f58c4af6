import { groupBy } from '../support/ledger/check/group-by.ts';
import type { Allowances } from './allowances.ts';
import type { Outcome } from './run-kit.ts';

export interface Verdict {
  readonly text: string;
  readonly isGood: boolean;
}

interface Explained extends Outcome {
  /** Why it is allowed; none where it is not. */
  readonly allowed: string | undefined;
}

/** Every failure and skip with its reason and why it is allowed, then the counts. */
export function judge(outcomes: readonly Outcome[], allowances: Allowances): Verdict {
  const failures = outcomes
    .filter(({ outcome }) => outcome === 'failed')
    .map((failure): Explained => ({ ...failure, allowed: allowedFailure(failure, allowances) }));
  const skips = outcomes
    .filter(({ outcome }) => outcome === 'skipped')
    .map((skip): Explained => ({ ...skip, allowed: allowedSkip(skip, allowances) }));
  const passed = outcomes.length - failures.length - skips.length;
  const bad = [...failures, ...skips].filter(({ allowed }) => allowed === undefined);
  const lines = [
    ...renderSkips(skips),
    ...failures.map(renderFailure),
    ...unused(outcomes, allowances),
    `${passed} passed, ${failures.length} failed, ${skips.length} skipped; ${bad.length} not allowed`,
  ];
  return { text: lines.join('\n'), isGood: bad.length === 0 && passed > 0 };
}

const allowedFailure = ({ test }: Outcome, { failures }: Allowances) =>
  failures.find((allowance) => test.includes(allowance.test))?.reason;

const allowedSkip = ({ reason }: Outcome, { skips }: Allowances) =>
  skips.find(({ told }) => told.test(reason))?.reason;

function* renderSkips(skips: readonly Explained[]): Generator<string> {
  const byReason = groupBy(skips, ({ reason, allowed }) => `${reason}\n  ${mark(allowed)}`);
  for (const [reason, ofIt] of byReason) {
    yield `skipped: ${reason}`;
    yield* ofIt.map(({ test }) => `    ${test}`);
  }
}

const renderFailure = ({ test, reason, allowed }: Explained) =>
  `failed: ${test}\n  ${mark(allowed)}\n    ${reason.split('\n', 1)[0]}`;

const mark = (allowed: string | undefined) =>
  allowed === undefined ? 'NOT ALLOWED' : `allowed: ${allowed}`;

/** An allowance that nothing needs any more would hide the next failure. */
function unused(outcomes: readonly Outcome[], { failures }: Allowances): string[] {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  return failures
    .filter((allowance) => !failed.some(({ test }) => test.includes(allowance.test)))
    .map(({ test }) => `not needed any more: the allowance for ${test}`);
}
