import { groupBy } from '../support/ledger/check/group-by.ts';
import type { LedgerLoad } from '../support/ledger/load.ts';
import type { FaultKind } from './faults.ts';

/** Times are milliseconds by the monotonic clock. */
export interface Round {
  readonly fault: FaultKind;
  /** Whether it struck at the moment that it names. */
  readonly isHit: boolean;
  readonly from: number;
  /** The next one began. */
  readonly until: number;
}

export interface CrashReport {
  /** One for each fault, then all together. */
  readonly rows: readonly CrashRow[];
  readonly acknowledged: number;
  readonly duplicates: number;
  /** What is not as it was acknowledged. */
  readonly lost: readonly string[];
}

interface CrashRow {
  readonly name: string;
  readonly rounds: number;
  /** Rounds in which it struck at the moment that it names. */
  readonly hits: number;
  /** Calls that were acknowledged meanwhile. */
  readonly acknowledged: number;
  /** The longest time of a round in which nothing was acknowledged. */
  readonly silentSeconds: number;
  /** The longest time from an acknowledgement until its event was with a receiver that takes all. */
  readonly lateSeconds: number;
}

export function reportOf(
  rounds: readonly Round[],
  load: LedgerLoad,
  lost: readonly string[],
): CrashReport {
  const rows = [...groupBy(rounds, ({ fault }) => fault.name)].map(([name, ofIt]) =>
    rowOf(name, ofIt, load),
  );
  const all = rowOf('all', rounds, load);
  const { acknowledgedAt } = load.ledger;
  const { duplicates } = load;
  return { rows: [...rows, all], acknowledged: acknowledgedAt.length, duplicates, lost };
}

function rowOf(name: string, rounds: readonly Round[], load: LedgerLoad): CrashRow {
  const { acknowledgedAt } = load.ledger;
  const isWithin = (moment: number) =>
    rounds.some(({ from, until }) => from <= moment && moment < until);
  const silences = acknowledgedAt.map((moment, index) => {
    const before = acknowledgedAt[index - 1] ?? moment;
    return longest(
      rounds.map(({ from, until }) => Math.min(moment, until) - Math.max(before, from)),
    );
  });
  return {
    name,
    rounds: rounds.length,
    hits: rounds.filter(({ isHit }) => isHit).length,
    acknowledged: acknowledgedAt.filter(isWithin).length,
    silentSeconds: longest(silences) / 1_000,
    lateSeconds: longest(latenesses(load, isWithin)) / 1_000,
  };
}

function latenesses(load: LedgerLoad, isWithin: (moment: number) => boolean): number[] {
  return load.promptlyDue
    .filter(({ acknowledgedAt }) => isWithin(acknowledgedAt))
    .map((due) => (load.ledger.arrivalOf(due) ?? due.acknowledgedAt) - due.acknowledgedAt);
}

/** 0 where there is none. */
function longest(times: readonly number[]): number {
  return times.reduce((most, each) => Math.max(most, each), 0);
}

/** A table in Markdown. */
export function renderReport({ rows, acknowledged, duplicates, lost }: CrashReport): string {
  const lines = rows.map(({ name, rounds, hits, silentSeconds, lateSeconds, ...row }) =>
    [name, rounds, hits, row.acknowledged, silentSeconds.toFixed(1), lateSeconds.toFixed(1)].join(
      ' | ',
    ),
  );
  const { rounds = 0, silentSeconds = 0, lateSeconds = 0 } = rows.at(-1) ?? {};
  const recovery = Math.max(silentSeconds, lateSeconds).toFixed(1);
  return [
    '| fault | rounds | struck as named | acknowledged | longest without an answer (s) | longest until delivered (s) |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...lines.map((line) => `| ${line} |`),
    '',
    `rounds ${rounds}, acknowledged ${acknowledged}, lost ${lost.length}, duplicates ${duplicates}, ` +
      `all as before after ${recovery} s at most`,
  ].join('\n');
}
